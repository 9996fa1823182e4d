/** A gateway with a fake channel, and people on it. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { connectHoldpoint, type HoldpointClient } from "../../../src/client/index.ts";
import { type RunningGateway, startGateway } from "../../../src/gateway.ts";
import type { Scope } from "../../../src/protocol/actor.ts";
import { OperatorId, type SessionId } from "../../../src/protocol/ids.ts";
import { PlanModeState } from "../../../src/plan-mode/protocol/state.ts";
import { openSqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { type FakeChannel, fakeChannel } from "../fake-channel.ts";
import { fakeClock } from "../fake-clock.ts";
import { scriptedModel, type ScriptStep } from "../scripted-model.ts";

export const submit = (title: string): ScriptStep => ({
  calls: [{ tool: "exit_plan_mode", args: { title, plan: [{ step: "Greet", status: "pending" }] } }],
});
export const done: ScriptStep = {
  calls: [{ tool: "update_plan", args: { merge: true, plan: [{ step: "Greet", status: "completed" }] } }],
};
export const HOUR_MS = 3_600_000;
const fatal = (error: Error): never => {
  throw error;
};

/** A gateway with a fake channel whose conversations outlive it, on one SQLite file. */
export function world(channel: FakeChannel = fakeChannel()) {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-channel-"));
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  const clock = fakeClock(Date.UTC(2026, 0, 5, 9));
  let now: { gateway: RunningGateway; store: Store; client: HoldpointClient } | undefined;

  const running = () => {
    if (now === undefined) throw new Error("start the gateway first");
    return now;
  };
  async function end(): Promise<void> {
    now?.client.close();
    await now?.gateway.stop();
    now = undefined;
  }
  onTestFinished(async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  });

  async function pair(personId: string, scopes: Scope[]): Promise<void> {
    const { token } = await running().client.call("tokens.create", { name: personId, scopes });
    const account = { surface: "fake", account: "bot", personId, operatorId: OperatorId.parse(token.id) };
    const audit = { atMs: clock.now(), actor: "opr_test", facts: [] };
    await running().store.saveSurfaceAccount({ ...account, createdAtMs: clock.now() }, audit);
  }

  return {
    channel,
    clock,
    pair,
    client: () => running().client,
    store: () => running().store,
    async start(script: readonly ScriptStep[]) {
      const store = await openSqliteStore({ folder: join(folder, "store"), onFatal: fatal });
      const gateway = await startGateway({
        home: join(folder, "home"),
        workspace,
        port: 0,
        log: "silent",
        model: scriptedModel(script),
        clock,
        env: {},
        store,
        plugins: [{ plugin: channel.plugin, tier: "trusted" }],
      });
      if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
      const { url, operatorToken: token } = gateway;
      now = { gateway, store, client: connectHoldpoint({ url, token, clientName: "journey", surface: "cli" }) };
    },
    end,
    /** Nothing that is under way is stored any more. */
    async kill() {
      await running().store.close();
      await end();
    },
    phase: async (sessionId: SessionId) => {
      const { session } = await running().client.call("sessions.get", { sessionId });
      return PlanModeState.parse(session.slices["planMode"]).now.phase;
    },
    /** Moves the clock on until something is so: what waits for time waits for this clock. */
    async until<Value>(look: () => Value | Promise<Value>, expected: Value): Promise<void> {
      await expect
        .poll(async () => {
          clock.advance(1_000);
          return look();
        })
        .toEqual(expected);
    },
  };
}

export const ALL: Scope[] = ["operator.read", "operator.write", "operator.approvals"];

export async function submitted(script: readonly ScriptStep[], channel = fakeChannel()) {
  const here = world(channel);
  await here.start(script);
  await here.pair("alice-on-fake", ALL);
  const outcome = await here.channel.send("Please greet");
  if (outcome.kind !== "message") throw new Error(`not a message: ${JSON.stringify(outcome)}`);
  await expect.poll(() => here.channel.messages().some(({ buttons }) => buttons.length > 0)).toBe(true);
  return { ...here, sessionId: outcome.sessionId };
}

export const payloads = (channel: FakeChannel, conversation?: string) =>
  channel.messages(conversation).map(({ payload }) => payload);
export const shown = (channel: FakeChannel, messageId: string) => channel.messages().find(({ id }) => id === messageId);
export const tokenFor = (channel: FakeChannel, action: string): { token: string; messageId: string } => {
  const card = channel.card();
  const button = card.buttons.find((one) => one.action === action);
  if (button === undefined) throw new Error(`no button ${action}`);
  return { token: button.token, messageId: card.id };
};
