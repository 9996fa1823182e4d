/** A whole gateway with a real provider behind it: only the vendor's server is played, on the vendor's own wire format. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import { describe, expect, it, onTestFinished } from "vitest";
import { type RunningGateway, startGateway } from "../../src/gateway.ts";
import type { EventFrame } from "../../src/protocol/frames.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { KEY, modelServer, providersAt, VENDORS, type Vendor } from "../kit/model-server.ts";
import { present } from "../kit/served-gateway.ts";
import { temporaryFolder } from "../kit/turn-world.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";

const KEYS = { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY, GEMINI_API_KEY: KEY };
const PLAN = { title: "Note the spout", plan: [{ step: "Write NOTE.md", acceptanceCriteria: ["it names the spout"] }] };
const DONE = { ...PLAN.plan[0], status: "completed", verifiedCriteria: ["it names the spout"] };

/** What the model does, one move per answer that it has given before. */
const MOVES: { name: string; args: object }[] = [
  { name: "read", args: { path: "README.md" } },
  { name: "write", args: { path: "NOTE.md", content: "too early" } },
  { name: "ask_user_question", args: { question: "Which name?", options: ["spout", "handle"] } },
  { name: "exit_plan_mode", args: PLAN },
  { name: "write", args: { path: "NOTE.md", content: "The spout.\n" } },
  { name: "update_plan", args: { plan: [DONE], merge: true } },
];

/** One call an answer, so the results tell how many there were, whatever the vendor makes of the messages. */
const answersIn = ({ messages }: ChatCompletionRequest): number =>
  messages.filter(({ role }) => role === "tool").length;

async function opened({ model, id }: Vendor) {
  const server = await modelServer();
  server.on({}, (request) => {
    const move = MOVES[answersIn(request)];
    if (move === undefined) return { content: "Done." };
    const call = { name: move.name, arguments: JSON.stringify(move.args) };
    return { toolCalls: [call], ...(id === "google" ? { finishReason: "stop" } : {}) };
  });
  const [home, workspace] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(home, { recursive: true });
  const planMode = { enabled: true, defaultActive: true };
  const config = { agents: { defaults: { model, planMode } }, providers: providersAt(server.url) };
  writeFileSync(join(home, "config.yaml"), JSON.stringify(config), { mode: 0o600 });
  writeFileSync(join(workspace, "README.md"), "# Kettle\n");
  const gateway = await startGateway({ home, workspace, port: 0, env: KEYS, log: "file" });
  if ("alreadyRunning" in gateway) throw new Error("another one runs");
  onTestFinished(() => gateway.stop());
  return { server, home, workspace, gateway, ...(await person(gateway)) };
}

/** Somebody who waits for what they can decide, and never looks at a clock. */
async function person({ url, operatorToken }: RunningGateway) {
  const client = await wireClient({ url, token: operatorToken });
  onTestFinished(() => client.close());
  const { session } = await client.must("sessions.create", {});
  await client.must("sessions.subscribe", { sessionId: session.id });
  return { client, sessionId: session.id };
}

/** Does something, and resolves when the turn that it causes is over. */
async function andThen(client: WireClient, work: () => Promise<unknown>): Promise<void> {
  const over = new Promise<void>((resolve) => {
    const stop = client.onEvent(({ event }: EventFrame) => {
      if (event !== "turn.finished") return;
      stop();
      resolve();
    });
  });
  await work();
  await over;
}

async function planState(client: WireClient, sessionId: SessionId) {
  const { session } = await client.must("sessions.get", { sessionId });
  return { session, plan: PlanModeState.parse(session.slices["planMode"]) };
}

describe.each(VENDORS)("$id", (vendor) => {
  it("[RT-01] reads, is held, asks, plans, waits, writes after the approval, and completes", async () => {
    const { client, sessionId, workspace, server, home } = await opened(vendor);
    await andThen(client, () => client.must("chat.send", { sessionId, text: "Note the spout." }));
    const { question } = (await planState(client, sessionId)).plan;
    expect(question?.question).toBe("Which name?");

    const { approvalId } = present(question);
    const answer = { action: "answer", approvalId, answer: "spout" } as const;
    await andThen(client, () => client.must("sessions.patch", { sessionId, planApproval: answer }));
    const { now } = (await planState(client, sessionId)).plan;
    if (now.phase !== "pending") throw new Error(`no plan waits: ${now.phase}`);
    expect(() => readFileSync(join(workspace, "NOTE.md"))).toThrow("ENOENT");

    const approve = { action: "approve", approvalId: now.submission.approvalId } as const;
    await andThen(client, () => client.must("sessions.patch", { sessionId, planApproval: approve }));
    expect(readFileSync(join(workspace, "NOTE.md"), "utf8")).toBe("The spout.\n");
    const { session, plan } = await planState(client, sessionId);
    expect(plan.now).toMatchObject({ phase: "off", left: "completed" });
    expect(session.spent?.answers).toBeGreaterThanOrEqual(MOVES.length);

    const history = (await client.must("chat.history", { sessionId })).items.map(({ entry }) => entry);
    const results = history.flatMap((entry) => (entry.kind === "result" ? [`${entry.tool}: ${entry.status}`] : []));
    expect(results).toEqual([
      "read: ok",
      "write: refused",
      "ask_user_question: ok",
      "exit_plan_mode: ok",
      "write: ok",
      "update_plan: ok",
    ]);
    const told = JSON.stringify(server.getRequests());
    expect(told).toContain("[PLAN_DECISION]");
    expect((await client.must("status", {})).model).toBe(vendor.model);
    const shown = JSON.stringify([
      history,
      session,
      await client.must("config.get", {}),
      await client.must("status", {}),
    ]);
    expect(shown + readFileSync(join(home, "gateway.log"), "utf8")).not.toContain(KEY);
  });
});
