/** Asks every slice whether a tool call may run, and collects what each slice records when the call is claimed. */
import type { JsonObject } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import { askSlices, type Draft, type World } from "./decision.ts";
import type { FinishedCall, GatedCall, GuardVerdict } from "./slice.ts";

/** `by` names the slice that refused. */
export type Guarded =
  | { allowed: true; under: JsonObject }
  | (Extract<GuardVerdict, { allowed: false }> & { by: string });

/** The first refusal is the answer. When no slice refuses, each may name what allows the call. */
export function askGuards(session: Session, call: GatedCall, world: World): Guarded {
  const verdicts = askSlices(session, world, (slice, state, at) => ({
    name: slice.name,
    verdict: slice.guard?.(state, call, at),
  }));
  const under: JsonObject = {};
  for (const { name, verdict } of verdicts) {
    if (verdict?.allowed === false) return { ...verdict, by: name };
    if (verdict?.under !== undefined) under[name] = verdict.under;
  }
  return { allowed: true, under };
}

/** Events of each slice for a call that ended. */
export function resultFacts(session: Session, call: FinishedCall, world: World): Draft[] {
  return askSlices(session, world, (slice, state, at) =>
    (slice.on?.result?.(state, call, at) ?? []).map((event): Draft => ({
      type: "slice.changed",
      slice: slice.name,
      event,
    })),
  ).flat();
}

/** Events of each slice for a claim that all guards allowed, such as spending a one-off permission. */
export function claimFacts(session: Session, call: GatedCall, world: World): Draft[] {
  return askSlices(session, world, (slice, state, at) =>
    (slice.on?.claim?.(state, call, at) ?? []).map((event): Draft => ({
      type: "slice.changed",
      slice: slice.name,
      event,
    })),
  ).flat();
}
