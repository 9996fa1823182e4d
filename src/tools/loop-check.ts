/**
 * Repeated identical calls, noticed within one turn, or among those of one caller (RT-07): the first stage of the pipeline, before any policy.
 *
 *   same tool, same arguments, same result:  1 · 2 ─▶ 3 · 4 with a warning in the result ─▶ 5 refused ─▶ 8 the turn ends
 *
 * A result that changed starts the count anew: whoever waits for something sees it move. So does a change that had not
 * been made before in this turn: a test that is run again after an edit is no loop, whatever it says.
 */
import { digestOf } from "../plugins/digest-of.ts";
import type { GateRefusal, ToolKind } from "../protocol/gate.ts";
import type { CallerId, TurnId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { ToolCall } from "../protocol/transcript-entry.ts";

export const WARN_AT = 3;
export const REFUSE_AT = 5;
export const STOP_AT = 8;

const RUNS_MAX = 256;
const CALLS_MAX = 2_000;

type Seen = { times: number; result: string | undefined };

/** One call, as the check follows it. */
export type Watched = {
  /** Set when the call must not run. */
  stop?: { refusal: GateRefusal; endTurn: boolean };
  /** Takes the result; answers with a warning to put into it, if there is reason for one. */
  ended(result: Json, changedSomething: boolean): string | undefined;
};

/** `run`: the turn, or the caller that makes its own calls. */
export type LoopCheck = { watch(run: TurnId | CallerId, call: ToolCall): Watched };

export function createLoopCheck(): LoopCheck {
  const runs = new Map<string, Map<string, Seen>>();
  return {
    watch(run, call) {
      const calls = recent(runs, run);
      const key = digestOf([call.tool, call.args]);
      const before = calls.get(key);
      const seen: Seen = before ?? { times: 0, result: undefined };
      if (calls.size < CALLS_MAX) calls.set(key, seen);
      const times = seen.times + 1;
      if (times >= REFUSE_AT) {
        seen.times = times;
        const endTurn = times >= STOP_AT;
        return { stop: { refusal: loopRefusal(call, { times, endTurn }), endTurn }, ended: () => undefined };
      }
      return {
        ended(result, changedSomething) {
          if (changedSomething && before === undefined) calls.clear(); // whatever was seen before may look different now
          calls.set(key, seen);
          const digest = digestOf(result);
          seen.times = digest === seen.result ? seen.times + 1 : 1;
          seen.result = digest;
          return seen.times >= WARN_AT ? warning(seen.times) : undefined;
        },
      };
    },
  };
}

/** The calls of a run; of many runs only the latest are kept. */
function recent(runs: Map<string, Map<string, Seen>>, run: string): Map<string, Seen> {
  const found = runs.get(run) ?? new Map<string, Seen>();
  runs.delete(run);
  runs.set(run, found);
  for (const oldest of runs.keys()) {
    if (runs.size <= RUNS_MAX) break;
    runs.delete(oldest);
  }
  return found;
}

const warning = (times: number): string =>
  `This was call ${times} with these arguments in this turn, and its result has not changed. Calling it again will not change it: do something else. From call ${REFUSE_AT} on it is refused.`;

/** The tool may not even exist; what is refused here is the repetition. */
const ANY_KIND: ToolKind = "dispatch";

function loopRefusal({ tool }: ToolCall, { times, endTurn }: { times: number; endTurn: boolean }): GateRefusal {
  const hint = endTurn
    ? "The turn ends here. Tell the person what you tried, and what you need."
    : `Do something else: other arguments, another tool, or ask the person. At call ${STOP_AT} the turn ends.`;
  return {
    tool_name: tool,
    tool_kind: ANY_KIND,
    hint,
    entered_at: null,
    entered_reason: null,
    rule: "loop/repeated-call",
    matched: `call ${times} with the same arguments and the same result`,
    message: `${tool} was not run: it was called ${times} times with the same arguments in this turn, and nothing changed. ${hint}`,
  };
}

/** The warning, placed where the model reads the result. */
export function withWarning(content: Json, text: string | undefined): Json {
  if (text === undefined) return content;
  if (typeof content === "string") return `${content}\n[${text}]`;
  const isFields = content !== null && typeof content === "object" && !Array.isArray(content);
  return isFields ? { ...content, repeated: text } : { result: content, repeated: text };
}
