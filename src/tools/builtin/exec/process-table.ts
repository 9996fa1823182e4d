/**
 * Programs that run in the background of a session. They outlive the call that started them, not more: each has a time
 * limit, and they end with their session, with a turn that is stopped, and with the gateway.
 *
 *   start ─▶ running ──its own end · kill · time limit · turn stopped · session ended · gateway stopping──▶ ended
 */
import type { Clock } from "../../../plugins/sessions.ts";
import type { ToolContext } from "../../../plugins/tool.ts";
import type { SessionId } from "../../../protocol/ids.ts";
import { type ChildEnd, type ChildOrder, runChild } from "../child-process.ts";
import { createOutputWindow, type OutputWindow } from "../output-window.ts";

const RUNNING_MAX = 16;
const KEPT_MAX = 32;
const FRESH_CHARS_MAX = 20_000;

export type Background = Pick<ChildOrder, "file" | "args" | "cwd" | "env" | "timeoutMs"> & { command: string };

/** One program, running or ended. */
export type Running = {
  id: string;
  command: string;
  startedAtMs: number;
  end(): ChildEnd | undefined;
  /** What it has said since this was last asked. */
  fresh(): string;
  output: OutputWindow;
  kill(): Promise<ChildEnd>;
  /** Calls back once when it says something or ends; returns how to call it off. */
  onNews(listener: () => void): () => void;
};

export type ProcessTable = {
  start(order: Background, context: ToolContext): { id: string } | { error: string };
  list(sessionId: SessionId): readonly Running[];
  find(sessionId: SessionId, id: string): Running | undefined;
  endSession(sessionId: SessionId): Promise<void>;
  endAll(): Promise<void>;
};

export function createProcessTable(clock: Clock): ProcessTable {
  const sessions = new Map<SessionId, Running[]>();
  let count = 0;
  const list = (sessionId: SessionId): readonly Running[] => sessions.get(sessionId) ?? [];
  const killAll = async (running: readonly Running[]): Promise<void> => {
    await Promise.all(running.map((item) => item.kill()));
  };
  return {
    start(order, context) {
      const before = list(context.sessionId);
      if (before.filter((item) => item.end() === undefined).length >= RUNNING_MAX) {
        return { error: `${RUNNING_MAX} programs run in the background already. End one with process, action kill.` };
      }
      count += 1;
      const started = startOne({ id: `prc_${count}`, order, signal: context.signal }, clock);
      const kept = before.filter((item, index) => item.end() === undefined || before.length - index < KEPT_MAX);
      sessions.set(context.sessionId, [...kept, started]);
      return { id: started.id };
    },
    list,
    find: (sessionId, id) => list(sessionId).find((item) => item.id === id),
    async endSession(sessionId) {
      const ended = list(sessionId);
      sessions.delete(sessionId);
      await killAll(ended);
    },
    endAll: () => killAll([...sessions.values()].flat()),
  };
}

function startOne(
  { id, order, signal }: { id: string; order: Background; signal: AbortSignal },
  clock: Clock,
): Running {
  const { command, ...process } = order;
  const stop = new AbortController();
  const output = createOutputWindow();
  const listeners = new Set<() => void>();
  let fresh = "";
  let end: ChildEnd | undefined;
  const tell = (): void => {
    for (const listener of listeners) listener();
    listeners.clear();
  };
  const ended = runChild({
    ...process,
    signal: AbortSignal.any([signal, stop.signal]),
    clock,
    onOutput(chunk) {
      fresh = (fresh + output.add(chunk)).slice(-FRESH_CHARS_MAX);
      tell();
      return "more";
    },
  }).then((how) => {
    end = how;
    tell();
    return how;
  });
  return {
    id,
    command,
    startedAtMs: clock.now(),
    output,
    end: () => end,
    fresh() {
      const said = fresh;
      fresh = "";
      return said;
    },
    kill() {
      stop.abort();
      return ended;
    },
    onNews(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
