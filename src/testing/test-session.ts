/** One session as one person uses it: says things, runs commands, presses what plugins show, and sees what becomes of it. */
import { setTimeout as pause } from "node:timers/promises";
import type { HoldpointClient } from "../client/client.ts";
import type { HoldpointEvent } from "../client/events.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import type { SessionView } from "../protocol/methods.ts";
import type { Session } from "../protocol/session.ts";
import type { Entry } from "../protocol/transcript-entry.ts";
import type { Memory } from "../store/memory/memory-store.ts";
import type { ScriptedModel } from "./scripted-model.ts";

/** Real time, whatever the fake clock shows: a test that waits for something that never happens must fail. */
const WAIT_MS_MAX = 60_000; // only ends a wait in vain: a busy machine is no failure
/** Not everything that a test waits for is published as an event. */
const LOOK_EVERY_MS = 50;
const SEEN_MAX = 10_000;
const HISTORY_MAX = 200;

export type CallResult = { tool: string; status: string; content: Json };

export type TestSession = {
  readonly id: SessionId;
  /** To the agent, or a command as it is typed into a chat; resolves with what the person is answered at once. */
  say(text: string): Promise<string>;
  /** `run("/deploy approve")`: resolves with what the person is shown; rejects with a HoldpointError, whose `code` says why. */
  run(command: string): Promise<string>;
  /** `press("deploy/approve", { version: "1.2.3" })`: an action of a plugin, as a button or a form runs it. */
  press(action: string, params?: JsonObject): Promise<string>;
  /** Resolves with the event's content when it has been seen so many times since the session began. */
  until(event: string, times?: number): Promise<JsonObject>;
  /** How often an event was seen since the session began. */
  seen(event: string): number;
  /** Resolves when the agent has nothing left to do; rejects when the script was too short for it. */
  atRest(): Promise<void>;
  /** Resolves when `isSo` is true; it is asked again whenever something happened in the session. */
  when(isSo: () => boolean | Promise<boolean>): Promise<void>;
  /** The transcript: what the agent received in each turn, what it answered, and the results of its calls. */
  inputs(): Promise<string[]>;
  answers(): Promise<string[]>;
  results(): Promise<CallResult[]>;
  /** Lines in the transcript that are for people. */
  notices(): Promise<string[]>;
  /** As clients see it; `plugins` holds what plugins show of their state. */
  view(): Promise<SessionView>;
  /** As it is stored, with slices, timers and queued texts: a client never sees all of it. */
  stored(): Session | undefined;
};

export type Following = { onEvent(event: HoldpointEvent): void; follow(client: HoldpointClient): Promise<void> };

/** What only a test gateway can see. */
export type Inside = { memory: Memory; model(): ScriptedModel | undefined };
type Parts = Inside & { id: SessionId; client(): HoldpointClient };

export function createTestSession(parts: Parts): { session: TestSession; following: Following } {
  const { id, client, memory, model } = parts;
  const seen = createSeen(id);
  const entries = async (): Promise<Entry[]> =>
    (await client().call("chat.history", { sessionId: id, limit: HISTORY_MAX })).items.map(({ entry }) => entry);
  const view = async (): Promise<SessionView> => (await client().call("sessions.get", { sessionId: id })).session;
  const session: TestSession = {
    id,
    async say(text) {
      const said = await client().call("chat.send", { sessionId: id, text });
      return said.kind === "command" ? said.message : said.messageId;
    },
    async run(command) {
      const [, name, args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(command) ?? [];
      if (name === undefined)
        throw new Error(`A command begins with a slash, and ${JSON.stringify(command)} does not.`);
      return (await client().call("commands.run", { sessionId: id, name, args })).message;
    },
    async press(action, params = {}) {
      const [pluginId = "", name = ""] = action.split("/");
      return (await client().call("sessions.action", { sessionId: id, pluginId, action: name, params })).message;
    },
    until: (event, times = 1) => seen.waitFor(`${event}, ${times} times`, () => seen.named(event)[times - 1]?.payload),
    seen: (event) => seen.named(event).length,
    async atRest() {
      await seen.waitFor("the agent at rest", async () => ((await view()).turn.status === "idle" ? true : undefined));
      const problem = model()?.problem;
      if (problem !== undefined) throw new Error(`The model was asked once more than expected: ${problem}.`);
    },
    when: (isSo) =>
      seen.waitFor("what the test waits for", async () => ((await isSo()) ? true : undefined)).then(nothing),
    inputs: async () => (await entries()).flatMap((entry) => (entry.kind === "input" ? [entry.text] : [])),
    answers: async () => (await entries()).flatMap((entry) => (entry.kind === "assistant" ? [entry.text] : [])),
    notices: async () => (await entries()).flatMap((entry) => (entry.kind === "notice" ? [entry.text] : [])),
    results: async () =>
      (await entries()).flatMap((entry) =>
        entry.kind === "result" ? [{ tool: entry.tool, status: entry.status, content: entry.content }] : [],
      ),
    view,
    stored: () => structuredClone(memory.sessions.get(id)?.session),
  };
  return { session, following: seen };
}

const nothing = (): void => undefined;

type Look<Value> = () => Value | undefined | Promise<Value | undefined>;

/** What this person has seen happen in the session, over every connection, each thing once. */
function createSeen(id: SessionId) {
  const events: HoldpointEvent[] = [];
  let cursor = 0;
  let next = Promise.withResolvers<void>();
  return {
    named: (event: string) => events.filter((one) => one.event === event),
    onEvent(event: HoldpointEvent): void {
      if (event.payload["sessionId"] !== id) return;
      if (event.cursor !== undefined) cursor = Math.max(cursor, event.cursor);
      if (events.length < SEEN_MAX) events.push(event);
      next.resolve();
      next = Promise.withResolvers();
    },
    async follow(client: HoldpointClient): Promise<void> {
      await client.subscribe(id, { afterCursor: cursor });
    },
    async waitFor<Value>(what: string, look: Look<Value>): Promise<Value> {
      const untilMs = performance.now() + WAIT_MS_MAX;
      while (performance.now() < untilMs) {
        const more = next.promise; // before the look, so that nothing falls in between
        const found = await look();
        if (found !== undefined) return found;
        await Promise.race([more, pause(LOOK_EVERY_MS)]);
      }
      throw new Error(tooLate(what, events));
    },
  };
}

function tooLate(what: string, events: readonly HoldpointEvent[]): string {
  const last = events.slice(-10).map(({ event }) => event);
  return `Waited ${WAIT_MS_MAX / 1_000} s for ${what}. Seen last: ${last.join(", ") || "nothing"}.`;
}
