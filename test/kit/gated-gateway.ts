/** The whole gateway with an agent that does what a test orders, and a person on the wire. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createProberModel } from "../../src/cli/gate/doctor/prober-model.ts";
import { startGateway } from "../../src/gateway.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { PlanApproval } from "../../src/plan-mode/protocol/command.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { Entry, EntryOf } from "../../src/protocol/transcript-entry.ts";
import { present } from "./served-gateway.ts";
import { wireClient } from "./wire-client.ts";

const PLAN = { title: "Tidy up", plan: [{ step: "do it", status: "pending" }] };

/** Folders, configuration, gateway, and a person's connection to it. */
async function opened(planMode: JsonObject, settings: JsonObject) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-gated-")));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(workspace);
  writeFileSync(join(workspace, "keep.txt"), "keep\n");
  const agents = { defaults: { model: "demo", planMode: { enabled: true, ...planMode } } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ ...settings, agents }), { mode: 0o600 });
  const model = createProberModel();
  const gateway = await startGateway({ home, workspace, port: 0, env: {}, log: "silent", model });
  if ("alreadyRunning" in gateway) throw new Error("already running");
  const person = await wireClient({ url: gateway.url, token: gateway.operatorToken });
  onTestFinished(async () => {
    person.close();
    await gateway.stop();
    rmSync(root, { recursive: true, force: true });
  });
  return { root, home, workspace, model, gateway, person };
}

/** `settings`: further ones of the configuration file. */
export async function gatedGateway(planMode: JsonObject = {}, settings: JsonObject = {}) {
  const { root, home, workspace, model, gateway, person } = await opened(planMode, settings);
  const { session } = await person.must("sessions.create", { agentId: "main", title: "", workspace });
  const sessionId = session.id;
  await person.must("sessions.subscribe", { sessionId });
  const seen: string[] = [];
  let finished = Promise.withResolvers<void>();
  person.onEvent(({ event }) => {
    seen.push(event);
    if (event === "turn.finished") finished.resolve();
  });

  const state = async (): Promise<PlanModeState> =>
    PlanModeState.parse((await person.must("sessions.get", { sessionId })).session.slices["planMode"]);
  const entries = async (): Promise<Entry[]> =>
    (await person.must("chat.history", { sessionId, before: null, limit: 200 })).items.map(({ entry }) => entry);

  /** Something asks for a turn; resolves when it has come to its end. */
  async function turn(cause: () => Promise<unknown>): Promise<void> {
    finished = Promise.withResolvers<void>();
    await cause();
    await finished.promise;
  }
  const lastResult = async (tool: string): Promise<EntryOf<"result">> => {
    const found = (await entries()).findLast((entry) => entry.kind === "result" && entry.tool === tool);
    if (found?.kind !== "result") throw new Error(`no result of ${tool}`);
    return found;
  };
  /** The agent makes one call, because somebody said something. */
  async function call(tool: string, args: JsonObject): Promise<EntryOf<"result">> {
    model.order({ tool, args });
    await turn(() => person.must("chat.send", { sessionId, text: "go" }));
    return lastResult(tool);
  }
  const patch = (planApproval: PlanApproval) => person.must("sessions.patch", { sessionId, planApproval });

  return {
    root,
    home,
    workspace,
    url: gateway.url,
    operatorToken: gateway.operatorToken,
    person,
    sessionId,
    model,
    seen,
    state,
    entries,
    call,
    turn,
    lastResult,
    exec: (command: string, more: JsonObject = {}) => call("exec", { command, ...more }),
    plan: (mode: "plan" | "normal") => person.must("sessions.patch", { sessionId, planMode: mode }),
    /** The agent submits a plan, and a person decides; nothing is called in the turn that follows. */
    async decide(action: "approve" | "edit"): Promise<void> {
      await call("exit_plan_mode", PLAN);
      const { now } = await state();
      if (now.phase !== "pending") throw new Error(`no plan waits: ${now.phase}`);
      await turn(() => patch({ action, approvalId: now.submission.approvalId }));
    },
    /** A person answers the question that waits; `then` is what the agent does with it. */
    async answer(text: string, then: { tool: string; args: JsonObject }): Promise<EntryOf<"result">> {
      const { approvalId } = present((await state()).question);
      model.order(then);
      await turn(() => patch({ action: "answer", approvalId, answer: text }));
      return lastResult(then.tool);
    },
    files: (): string[] => readdirSync(workspace, { recursive: true, encoding: "utf8" }).toSorted(),
    read: (name: string): string => readFileSync(join(workspace, name), "utf8"),
  };
}
