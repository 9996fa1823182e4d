/**
 * Notices agents that work past their hooks: their transcript grows by calls of which no hook told us.
 *
 *   gated ──calls without hooks──▶ ungated ──a hook tells again──▶ gated
 */
import type { ExternalPlace } from "../../protocol/external/decisions.ts";
import type { HookAgent } from "../hooks/hook-line.ts";
import type { Transcript } from "./transcript.ts";
import { recentTranscripts } from "./transcripts.ts";

/** A call may stand in the transcript a moment before its hook is started. */
const UNTOLD_MIN = 2;
/** An agent that writes a call anew does so soon after the first time. */
const CALLS_KEPT_MAX = 1_000;

export type Heartbeat = {
  /** A hook of this run begins to ask; the answer is called when it has its reply. */
  told(agent: HookAgent, session: string): () => void;
  /** Looks at what was written since the last time. */
  look(): Promise<void>;
  /** The runs that work past their hooks now. */
  ungated(): readonly ExternalPlace[];
};

export type HeartbeatParts = {
  person: { home: string; env: Readonly<Record<string, string | undefined>> };
  startedAtMs: number;
  /** Whether hooks are installed for it: nobody expects them otherwise. */
  isHooked(agent: HookAgent): Promise<boolean>;
  onChange(place: ExternalPlace, gated: boolean): Promise<void>;
};

type Followed = { next?: number; recent: Set<string>; calls: number; told: number; waiting: number };

const keyOf = (agent: string, session: string): string => `${agent}\0${session}`;

function count(run: Followed, calls: readonly string[]): void {
  for (const call of calls) {
    if (run.recent.has(call)) continue;
    run.recent.add(call);
    run.calls += 1;
  }
  for (const call of run.recent) {
    if (run.recent.size <= CALLS_KEPT_MAX) break;
    run.recent.delete(call); // the oldest first
  }
}

export function createHeartbeat(parts: HeartbeatParts): Heartbeat {
  const runs = new Map<string, Followed>();
  const ungated = new Map<string, ExternalPlace>();
  function followed(key: string): Followed {
    const found = runs.get(key) ?? { recent: new Set(), calls: 0, told: 0, waiting: 0 };
    runs.set(key, found);
    return found;
  }
  async function judge(transcript: Transcript): Promise<void> {
    const { agent, session, end, bornMs } = transcript;
    const key = keyOf(agent, session);
    const run = followed(key);
    run.next ??= bornMs < parts.startedAtMs ? end : 0; // what was before, nobody could have told us
    if (end > run.next) {
      const { calls, next } = await transcript.callsFrom(run.next);
      count(run, calls);
      run.next = next;
    }
    const isUntold = run.waiting === 0 && run.calls - run.told >= UNTOLD_MIN;
    if (isUntold === ungated.has(key) || (isUntold && !(await parts.isHooked(agent)))) return;
    const workspace = isUntold ? ((await transcript.folder()) ?? parts.person.home) : "";
    const place = ungated.get(key) ?? { agent, session, workspace };
    if (isUntold) ungated.set(key, place);
    else ungated.delete(key);
    await parts.onChange(place, !isUntold);
  }
  return {
    told(agent, session) {
      const run = followed(keyOf(agent, session));
      run.told = Math.max(run.told, run.calls) + 1; // from now on it is told: what was missed is not held against it
      run.waiting += 1;
      return () => void (run.waiting -= 1);
    },
    async look() {
      for (const transcript of await recentTranscripts(parts.person, parts.startedAtMs)) await judge(transcript);
    },
    ungated: () => [...ungated.values()],
  };
}
