/** The whole gateway in one process: real store, real port, real client; only the model is scripted and the clock is ours. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Model } from "../../src/agent/model.ts";
import { connectHoldpoint, type HoldpointClient } from "../../src/client/index.ts";
import { type GatewayOptions, type RunningGateway, startGateway } from "../../src/gateway.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { shownCommand } from "../kit/accept-command.ts";
import { type FakeClock, fakeClock } from "../kit/fake-clock.ts";

export type Story = {
  clock: FakeClock;
  home: string;
  workspace: string;
  /** Starts, or starts again after `stop` on the same state. */
  start(model: Model, options?: Pick<GatewayOptions, "plugins" | "store" | "log" | "env">): Promise<RunningGateway>;
  stop(): Promise<void>;
  /** A person with a connection of their own. */
  person(): Promise<Person>;
};

export type Person = {
  client: HoldpointClient;
  /** What this person has seen happen, by name. */
  seen: string[];
  open(): Promise<SessionId>;
  watch(sessionId: SessionId): Promise<void>;
  say(sessionId: SessionId, text: string): Promise<string>;
  /** Approves the plan that waits by the code on its card, as somebody who has read it would. */
  accept(sessionId: SessionId): Promise<string>;
  /** Types what a card shows beside an action. */
  act(sessionId: SessionId, action: string): Promise<string>;
  plan(sessionId: SessionId): Promise<PlanModeState>;
  /** Resolves when an event of this name has been seen so many times. */
  until(event: string, times?: number): Promise<void>;
};

export function story(): Story {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-journey-"));
  const home = join(folder, "home");
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  const clock = fakeClock(Date.UTC(2026, 0, 5, 9));
  const people: HoldpointClient[] = [];
  let running: RunningGateway | undefined;

  async function stop(): Promise<void> {
    for (const client of people.splice(0)) client.close();
    await running?.stop();
    running = undefined;
  }
  onTestFinished(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    clock,
    home,
    workspace,
    stop,
    async start(model, options = {}) {
      const started = await startGateway({
        home,
        workspace,
        port: 0,
        log: "silent",
        model,
        clock,
        env: {},
        ...options,
      });
      if ("alreadyRunning" in started) throw new Error("a gateway runs already");
      running = started;
      return started;
    },
    async person() {
      if (running === undefined) throw new Error("start the gateway first");
      const client = connectHoldpoint({
        url: running.url,
        token: running.operatorToken,
        clientName: "journey",
        surface: "cli",
      });
      people.push(client);
      await client.ready();
      return personOf(client);
    },
  };
}

function personOf(client: HoldpointClient): Person {
  const seen: string[] = [];
  const waiting: { event: string; times: number; resolve(): void }[] = [];
  client.on("*", ({ event }) => {
    seen.push(event);
    for (const wait of waiting) if (count(seen, wait.event) >= wait.times) wait.resolve();
  });
  const watch = async (sessionId: SessionId): Promise<void> => void (await client.subscribe(sessionId));
  async function say(sessionId: SessionId, text: string): Promise<string> {
    const said = await client.call("chat.send", { sessionId, text });
    return said.kind === "command" ? said.message : said.messageId;
  }
  async function act(sessionId: SessionId, action: string): Promise<string> {
    const { session } = await client.call("sessions.get", { sessionId });
    return say(sessionId, shownCommand(session, action));
  }
  return {
    client,
    seen,
    watch,
    async open() {
      const { session } = await client.call("sessions.create", {});
      await watch(session.id);
      return session.id;
    },
    say,
    accept: (sessionId) => act(sessionId, "approve"),
    act,
    async plan(sessionId) {
      const { session } = await client.call("sessions.get", { sessionId });
      return PlanModeState.parse(session.slices["planMode"]);
    },
    until: (event, times = 1) =>
      new Promise((resolve) => {
        if (count(seen, event) >= times) resolve();
        else waiting.push({ event, times, resolve });
      }),
  };
}

const count = (seen: readonly string[], event: string): number => seen.filter((name) => name === event).length;
