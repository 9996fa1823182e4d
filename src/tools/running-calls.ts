/** Calls with a permit that are under way, so that they can be ended when the right to change things ends. */
import type { SessionId } from "../protocol/ids.ts";
import { AT_ONCE } from "./builtin/child-process.ts";

export type RunningCall = {
  /** Stops the tool: of the caller, or because the right is gone. */
  signal: AbortSignal;
  /** Why the gateway ended it; undefined where it did not. */
  ended(): string | undefined;
  /** It is over, in whatever way. */
  done(): void;
};

type Begun = {
  sessionId: SessionId;
  signal: AbortSignal;
  /** A person allowed this one call, also in plan mode. */
  granted: boolean;
};

export type RunningCalls = {
  begin(call: Begun): RunningCall;
  sessions(): readonly SessionId[];
  /** Called at each begin, so that a right that was lost a moment before is noticed. */
  onBegun(listener: (sessionId: SessionId) => void): void;
  /** `sparingGranted`: leaves those alone that a person allowed one by one. */
  end(sessionId: SessionId, why: string, options: { sparingGranted: boolean }): void;
};

export function createRunningCalls(): RunningCalls {
  const running = new Set<{ call: Begun; end(why: string): void }>(); // as many as are being executed
  const listeners: ((sessionId: SessionId) => void)[] = [];
  return {
    begin(call) {
      const stop = new AbortController();
      let why: string | undefined;
      const entry = {
        call,
        end(reason: string) {
          why ??= reason;
          stop.abort(AT_ONCE);
        },
      };
      running.add(entry);
      for (const listener of listeners) listener(call.sessionId);
      return {
        signal: AbortSignal.any([call.signal, stop.signal]),
        ended: () => why,
        done: () => void running.delete(entry),
      };
    },
    sessions: () => [...new Set([...running].map(({ call }) => call.sessionId))],
    onBegun: (listener) => void listeners.push(listener),
    end(sessionId, why, { sparingGranted }) {
      for (const { call, end } of running)
        if (call.sessionId === sessionId && !(sparingGranted && call.granted)) end(why);
    },
  };
}
