/** What became of questions and of the plan, as far as only events tell: the state itself forgets what is over. */
import type { EventPayloads, HoldpointEvent } from "../../src/client/events.ts";
import type { By } from "../../src/protocol/actor.ts";

const KEPT_MAX = 20;

export type Outcome =
  | { of: string; how: "answered"; by: By; answer: string; optionId: string | null; atMs: number }
  | { of: string; how: "declined" | "deferred" | "timed_out" | "superseded" | "left"; by?: By; atMs: number };

/** By the id of the question, or of the cycle that a person left. */
export type Outcomes = ReadonlyMap<string, Outcome>;

export const NO_OUTCOMES: Outcomes = new Map();

export function outcomesAfter(before: Outcomes, event: HoldpointEvent): Outcomes {
  const outcome = outcomeOf(event);
  if (outcome === undefined) return before;
  return new Map([...before, [outcome.of, outcome] as const].slice(-KEPT_MAX));
}

function outcomeOf(event: HoldpointEvent): Outcome | undefined {
  if (is(event, "question.answered")) {
    const { questionId, by, answer, optionId, atMs } = event.payload;
    return { of: questionId, how: "answered", by, answer, optionId, atMs };
  }
  if (is(event, "question.closed")) {
    const { questionId, reason, by, atMs } = event.payload;
    return { of: questionId, how: reason, atMs, ...(by === undefined ? {} : { by }) };
  }
  if (is(event, "plan.left") && event.payload.cycleId !== undefined) {
    const { cycleId, by, atMs } = event.payload;
    return { of: cycleId, how: "left", by, atMs };
  }
  return undefined;
}

const is = <Name extends keyof EventPayloads>(event: HoldpointEvent, name: Name): event is HoldpointEvent<Name> =>
  event.event === name;
