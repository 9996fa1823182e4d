/**
 * Programs that run in the background of a session. They outlive the call and the turn that started them, not more: each
 * has a time limit, and they end with their session, with the gateway, and when the session may no longer change
 * anything.
 *
 *   start ─▶ running ──its own end · kill · time limit · right to change lost · session ended · gateway stopping──▶ ended
 */
import type { Clock } from "../../../plugins/sessions.ts";
import type { ToolContext } from "../../../plugins/tool.ts";
import type { SessionId } from "../../../protocol/ids.ts";
import { AT_ONCE, type ChildEnd, type ChildOrder, runChild } from "../child-process.ts";
import type { RedactedStream } from "../../redaction/redaction.ts";
import { createOutputWindow, type OutputWindow } from "../output-window.ts";
import { endStragglers, stragglerMark } from "./stragglers.ts";

const RUNNING_MAX = 16;
const KEPT_MAX = 32;
const FRESH_CHARS_MAX = 20_000;

export type Background = Omit<ChildOrder, "signal" | "clock" | "onOutput"> & {
  command: string;
  /** Whether it runs with processes of its own, which end with it whatever they do. */
  contained: boolean;
};

/** One program, running or ended. */
export type Running = {
  id: string;
  command: string;
  startedAtMs: number;
  end(): ChildEnd | undefined;
  /** Why the gateway ended it, if it did so without being asked by the agent. */
  reason(): string | undefined;
  /** What it has printed since the last call. */
  fresh(): string;
  output: OutputWindow;
  /** With a reason it is killed at once, without time to clean up. */
  kill(reason?: string): Promise<ChildEnd>;
  /** Calls back once when it prints something or ends; returns how to cancel that. */
  onNews(listener: () => void): () => void;
};

export type ProcessTable = {
  start(order: Background, context: Pick<ToolContext, "sessionId" | "signal">): { id: string } | { error: string };
  list(sessionId: SessionId): readonly Running[];
  find(sessionId: SessionId, id: string): Running | undefined;
  /** Sessions in whose background something runs. */
  sessions(): readonly SessionId[];
  /** Called at each start, once the program is in the table, so that the listener can still end it. */
  onStarted(listener: (sessionId: SessionId) => void): void;
  /** Ends what runs; it stays in the list, with the reason. The ids of what was ended. */
  endRunning(sessionId: SessionId, reason: string): Promise<string[]>;
  /** Ends and forgets. */
  endSession(sessionId: SessionId): Promise<void>;
  endAll(): Promise<void>;
};

/** Keeps secrets out of what a program prints, also when half of one is asked for and half later. */
type Redacted = () => Pick<RedactedStream, "push" | "end">;
const AS_IT_IS: Redacted = () => ({ push: (text) => text, end: () => "" });

export function createProcessTable(clock: Clock, redacted: Redacted = AS_IT_IS): ProcessTable {
  const sessions = new Map<SessionId, Running[]>();
  const listeners: ((sessionId: SessionId) => void)[] = [];
  let count = 0;
  const list = (sessionId: SessionId): readonly Running[] => sessions.get(sessionId) ?? [];
  const running = (sessionId: SessionId): Running[] => list(sessionId).filter((item) => item.end() === undefined);
  const killAll = async (items: readonly Running[], reason?: string): Promise<void> => {
    await Promise.all(items.map((item) => item.kill(reason)));
  };
  return {
    start(order, { sessionId, signal }) {
      if (signal.aborted) return { error: "Not started: the turn was stopped." };
      if (running(sessionId).length >= RUNNING_MAX) {
        return { error: `${RUNNING_MAX} programs run in the background already. End one with process, action kill.` };
      }
      count += 1;
      const before = list(sessionId);
      const started = startOne({ id: `prc_${count}`, order, shown: redacted() }, clock);
      const kept = before.filter((item, index) => item.end() === undefined || before.length - index < KEPT_MAX);
      sessions.set(sessionId, [...kept, started]);
      for (const listener of listeners) listener(sessionId);
      return { id: started.id };
    },
    list,
    find: (sessionId, id) => list(sessionId).find((item) => item.id === id),
    sessions: () => [...sessions.keys()].filter((sessionId) => running(sessionId).length > 0),
    onStarted: (listener) => void listeners.push(listener),
    async endRunning(sessionId, reason) {
      const ended = running(sessionId).filter((item) => item.reason() === undefined);
      await killAll(ended, reason);
      return ended.map(({ id }) => id);
    },
    async endSession(sessionId) {
      const ended = list(sessionId);
      sessions.delete(sessionId);
      await killAll(ended);
    },
    endAll: () => killAll([...sessions.values()].flat()),
  };
}

type Start = { id: string; order: Background; shown: ReturnType<Redacted> };

function startOne({ id, order, shown }: Start, clock: Clock): Running {
  const { command, contained, ...process } = order;
  const mark = stragglerMark();
  const stop = new AbortController();
  const output = createOutputWindow();
  const listeners = new Set<() => void>();
  let fresh = "";
  let end: ChildEnd | undefined;
  let reason: string | undefined;
  const tell = (): void => {
    for (const listener of listeners) listener();
    listeners.clear();
  };
  const ended = runChild({
    ...process,
    env: { ...process.env, ...mark.env },
    signal: stop.signal,
    clock,
    onOutput(chunk) {
      fresh = (fresh + shown.push(output.add(chunk))).slice(-FRESH_CHARS_MAX);
      tell();
      return "more";
    },
  }).then(async (how) => {
    if (!contained) await endStragglers(mark);
    end = how;
    fresh = (fresh + shown.end()).slice(-FRESH_CHARS_MAX);
    tell();
    return how;
  });
  return {
    id,
    command,
    startedAtMs: clock.now(),
    output,
    end: () => end,
    reason: () => reason,
    fresh() {
      const said = fresh;
      fresh = "";
      return said;
    },
    kill(why) {
      if (end === undefined) reason ??= why;
      stop.abort(why === undefined ? undefined : AT_ONCE);
      return ended;
    },
    onNews(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
