/** Code mode behind a whole gateway that is killed: two tools over a hundred and fifty, a plan, a question, an answer. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { Entry } from "../../src/protocol/transcript-entry.ts";
import { CODE_PROCESS, HELD_MODEL } from "../kit/code-process.ts";
import { gatewayChild } from "../kit/gateway-child.ts";
import { present } from "../kit/served-gateway.ts";
import { wireClient } from "../kit/wire-client.ts";

const SERVER = fileURLToPath(new URL("../kit/mcp-server.ts", import.meta.url));

function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-code-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(workspace);
  const shop = { command: process.execPath, args: [SERVER, "stdio", "many"], trusted: true };
  const config = {
    agents: { defaults: { model: "demo", planMode: { enabled: true } } },
    tools: { codeMode: true, exec: { sandbox: "none" } },
    mcp: { servers: { shop } },
  };
  writeFileSync(join(home, "config.yaml"), JSON.stringify(config), { mode: 0o600 });
  return { home, workspace };
}

async function connected(at: ReturnType<typeof place>) {
  const child = await gatewayChild({ ...at, script: CODE_PROCESS });
  const person = await wireClient({ url: child.url, token: child.token });
  return { child, person };
}
type Connected = Awaited<ReturnType<typeof connected>>;

async function entriesOf({ person }: Connected, sessionId: SessionId): Promise<Entry[]> {
  return (await person.must("chat.history", { sessionId, before: null, limit: 200 })).items.map(({ entry }) => entry);
}
async function planIn({ person }: Connected, sessionId: SessionId): Promise<PlanModeState> {
  return PlanModeState.parse((await person.must("sessions.get", { sessionId })).session.slices["planMode"]);
}
const results = (entries: readonly Entry[]): { tool: string; status?: string }[] =>
  entries.flatMap((entry) => (entry.kind === "result" ? [{ tool: entry.tool, ...(entry.content as object) }] : []));

it("[CM-01, CM-03, CM-04, CM-05, GA-02, GA-13] 67, 163–173: a cell whose plan is approved while it is suspended on that, and whose gateway is killed then and again while it is suspended on a question, ends with the answer", async () => {
  const at = place();
  let now = await connected(at);
  onTestFinished(async () => {
    now.person.close();
    await now.child.kill();
  });
  const { session } = await now.person.must("sessions.create", { agentId: "main", title: "", workspace: at.workspace });
  const sessionId = session.id;
  async function until(what: () => Promise<boolean>): Promise<void> {
    await expect.poll(what, { interval: 50 }).toBe(true);
  }
  await now.person.must("sessions.patch", { sessionId, planMode: "plan" });
  await now.person.must("chat.send", { sessionId, text: "Find out what there is, then record it." });
  await until(async () => (await planIn(now, sessionId)).now.phase === "pending");
  await until(async () => (await now.person.must("sessions.get", { sessionId })).session.turn.status === "idle");

  const explored = results(await entriesOf(now, sessionId)).slice(-2);
  expect(explored).toMatchObject([
    {
      tool: "exec",
      status: "completed",
      value: {
        files: ["mcp/index.d.ts", "mcp/shop.d.ts"],
        functions: 161, // 150 that look up, the ten that every fixture has, and $api
        row: 7,
        header: expect.stringContaining("input schema"),
        refused: expect.stringContaining("plan mode"),
      },
      output: [{ type: "text", text: "looked around" }],
      telemetry: { visibleTools: ["exec", "wait"], counts: { exec: 1, call: 2 } },
    },
    {
      tool: "exec",
      status: "waiting",
      reason: "pending_tools",
      pendingToolCalls: [{ toolId: "plugin:plan-mode:exit_plan_mode", state: "awaiting_approval" }],
    },
  ]);

  const [, { runId: cell } = {}] = explored as { runId?: string }[];
  const waiting = (await planIn(now, sessionId)).now;
  if (waiting.phase !== "pending") throw new Error("no plan waits");
  const { approvalId } = waiting.submission;
  // approved while the cell is suspended on it; the gateway dies before the program has heard of it
  writeFileSync(join(at.workspace, HELD_MODEL), "");
  await now.person.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
  await until(async () => (await now.person.must("sessions.get", { sessionId })).session.turn.status === "running");
  expect(results(await entriesOf(now, sessionId)).at(-1)).toMatchObject({
    tool: "exec",
    status: "waiting",
    runId: cell,
  });
  now.person.close();
  await now.child.kill();
  rmSync(join(at.workspace, HELD_MODEL));
  now = await connected(at);
  await until(async () => (await planIn(now, sessionId)).question !== null);
  await until(async () => (await now.person.must("sessions.get", { sessionId })).session.turn.status === "idle");
  expect(results(await entriesOf(now, sessionId)).slice(-2)).toMatchObject([
    { tool: "exec", status: "waiting", runId: cell },
    {
      tool: "wait",
      status: "waiting",
      runId: cell,
      pendingToolCalls: [{ toolId: "plugin:plan-mode:ask_user_question", state: "awaiting_approval" }],
      output: [{ type: "text", text: "decided: approved" }],
    },
  ]);
  expect(existsSync(join(at.workspace, "made"))).toBe(false);

  now.person.close();
  await now.child.kill();
  now = await connected(at);
  const question = present((await planIn(now, sessionId)).question);
  await now.person.must("sessions.patch", {
    sessionId,
    planApproval: { action: "answer", approvalId: question.approvalId, answer: "Blue" },
  });
  const last = (entries: readonly Entry[]) => entries.findLast((entry) => entry.kind === "assistant");
  await until(async () => last(await entriesOf(now, sessionId))?.text.startsWith("Done.") === true);
  const entries = await entriesOf(now, sessionId);
  expect(results(entries).at(-1)).toMatchObject({
    tool: "wait",
    status: "completed",
    value: "The plan was approved, the answer was Blue",
    telemetry: { snapshot: { life: "restored" }, counts: { wait: 2 } },
  });
  expect(last(entries)?.text).toBe('Done. "The plan was approved, the answer was Blue"'); // the model was given it
  expect(existsSync(join(at.workspace, "made"))).toBe(true);
  const nested = entries.flatMap((entry) => (entry.kind === "call" ? [[entry.tool, entry.parentCallId]] : []));
  expect(nested.map(([tool]) => tool)).toEqual([
    "mcp__shop__lookup_7",
    "mcp__shop__record",
    "exit_plan_mode",
    "ask_user_question",
    "session_status",
    "mcp__shop__record",
  ]);
  expect(nested.every(([, parent]) => parent !== undefined)).toBe(true);
});

it("[CM-05, PL-09, QU-01, GA-02, GA-13] 63, 67: a plan that is approved while a cell is suspended on a question: the gateway is killed and restarted, and the cell ends with the answer", async () => {
  const at = place();
  let now = await connected(at);
  onTestFinished(async () => {
    now.person.close();
    await now.child.kill();
  });
  const { session } = await now.person.must("sessions.create", { agentId: "main", title: "", workspace: at.workspace });
  const sessionId = session.id;
  const isIdle = async () => (await now.person.must("sessions.get", { sessionId })).session.turn.status === "idle";
  async function until(what: () => Promise<boolean>): Promise<void> {
    await expect.poll(what, { interval: 50 }).toBe(true);
  }
  const decide = (planApproval: object) => now.person.must("sessions.patch", { sessionId, planApproval } as never);
  await now.person.must("sessions.patch", { sessionId, planMode: "plan" });
  await now.person.must("chat.send", { sessionId, text: "Find out what there is, then record it." });
  await until(async () => (await planIn(now, sessionId)).now.phase === "pending" && (await isIdle()));
  const { now: proposed } = await planIn(now, sessionId);
  if (proposed.phase !== "pending") throw new Error("no plan waits");
  const { approvalId } = proposed.submission;
  await decide({ action: "reject", approvalId, feedback: "Ask me for the colour first." });
  await until(async () => (await planIn(now, sessionId)).question !== null && (await isIdle()));
  const asked = present((await planIn(now, sessionId)).question);
  const suspended = results(await entriesOf(now, sessionId)).at(-1);
  expect(suspended).toMatchObject({
    tool: "wait",
    status: "waiting",
    pendingToolCalls: [{ toolId: "plugin:plan-mode:ask_user_question", state: "awaiting_approval" }],
    output: [{ type: "text", text: "decided: rejected" }],
  });

  // a change of mind: the plan is approved while the cell is suspended on its question, which stays
  writeFileSync(join(at.workspace, HELD_MODEL), ""); // so that the gateway dies before the program is asked again
  await decide({ action: "approve", approvalId, overRejection: true });
  await until(async () => (await planIn(now, sessionId)).now.phase === "executing" && !(await isIdle()));
  now.person.close();
  await now.child.kill();
  rmSync(join(at.workspace, HELD_MODEL));
  now = await connected(at);
  await until(isIdle);
  expect((await planIn(now, sessionId)).question).toEqual(asked);
  expect(existsSync(join(at.workspace, "made"))).toBe(false);

  await decide({ action: "answer", approvalId: asked.approvalId, answer: "Blue" });
  const ended = async () => results(await entriesOf(now, sessionId)).findLast(({ tool }) => tool === "wait");
  await until(async () => (await ended())?.status === "completed");
  expect(await ended()).toMatchObject({
    tool: "wait",
    value: "The plan was rejected, the answer was Blue",
    telemetry: { snapshot: { life: "restored" } },
  });
  expect(existsSync(join(at.workspace, "made"))).toBe(true);
});
