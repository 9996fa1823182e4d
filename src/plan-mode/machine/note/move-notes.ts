/** What a new revision means for the notes on the one before it. */
import type { NoteId } from "../../../protocol/ids.ts";
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { isOpen } from "./evolve.ts";
import { pairSteps, placeNote } from "./place-note.ts";

const UNKNOWN_SHOWN_MAX = 5;

/** The notes that a revision claims to answer; an unknown name is refused, because it is a mistake. */
export function readAddresses({ review }: PlanModeState, given: readonly string[] = []): { ids: NoteId[] } | Refused {
  const notes = review?.notes ?? [];
  const byName = new Map(notes.flatMap(({ id, n }) => [id, `n${n}`, String(n)].map((name) => [name, id] as const)));
  const idOf = (name: string): NoteId | undefined => byName.get(name.trim()) ?? byName.get(name.trim().toLowerCase());
  const names = given.filter((name) => name.trim() !== "");
  const unknown = names.filter((name) => idOf(name) === undefined);
  if (unknown.length === 0) return { ids: [...new Set(names.flatMap((name) => idOf(name) ?? []))] };
  const known = notes.map(({ n }) => `n${n}`);
  const hint =
    known.length === 0 ? "There are no notes on this plan: leave addresses out." : `The notes are ${known.join(", ")}.`;
  const shown = unknown.slice(0, UNKNOWN_SHOWN_MAX).join(", ");
  return refuse("PLAN_INVALID", `addresses names notes that do not exist: ${shown}. ${hint}`, { unknown, known });
}

/** The place of each open note in the new revision; empty when there are none. */
export function moveNotes(
  { review, now }: PlanModeState,
  {
    submission,
    body,
    addresses = [],
    atMs,
  }: Pick<PlanEventOf<"plan.submitted">, "submission" | "body" | "addresses" | "atMs">,
): PlanModeEvent[] {
  if (review === undefined || review.notes.length === 0) return [];
  const pairs = "submission" in now ? pairSteps(now.submission.steps, body.plan) : undefined;
  const open = review.notes.filter(isOpen);
  const moves = open.map(({ id, anchor }) => ({ noteId: id, ...placeNote(anchor, body, pairs) }));
  const { planId, revision } = submission;
  return [{ type: "notes.moved", planId, revision, moves, addressed: addresses, atMs }];
}
