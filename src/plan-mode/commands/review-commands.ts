/** `/plan notes`, `note`, `resolve`, `reply`, `reopen` and `diff`: what was said about the plan, and what its revisions changed. */
import { Json, type JsonObject } from "../../protocol/json.ts";
import type { PlanModeState } from "../protocol/state.ts";
import { PlanRevision } from "../protocol/plan.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import { refuse } from "../protocol/refuse.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import type { CommandCall } from "../../plugins/sdk.ts";
import { comparePlans } from "../machine/compare/compare-plans.ts";
import { cycleIdOf, submissionOf } from "../machine/plan/cycle.ts";
import { diffWords } from "../render/render-diff.ts";
import { notesWords } from "../render/render-notes.ts";
import type { TypedNote } from "./parse-note.ts";

type Read = LocalizedText | { refusal: Refusal };
type Order = { order: JsonObject } | { refusal: Refusal };

const NO_PLAN = refuse("PLAN_NOT_FOUND", "There is no plan in this session yet.").refused;

export const notesMessage = ({ review }: PlanModeState): LocalizedText => notesWords(review?.notes ?? []);

export function noteOrder(state: PlanModeState, { kind, anchor, text }: TypedNote): Order {
  const submission = submissionOf(state);
  if (submission === undefined) return { refusal: NO_PLAN };
  const { approvalId } = submission;
  return { order: { type: "note", note: { action: "add", approvalId, kind, anchor: Json.parse(anchor), text } } };
}

/** What is done to the thread of a note; a reply comes with its text. */
type ThreadAct = { action: "resolve" | "reopen" } | { action: "reply"; text: string };

export function threadOrder({ review }: PlanModeState, n: number, act: ThreadAct): Order {
  const note = review?.notes.find((item) => item.n === n);
  if (note !== undefined) return { order: { type: "note", note: { ...act, noteId: note.id } } };
  const known = (review?.notes ?? []).map((item) => `n${item.n}`).join(", ");
  const words = known === "" ? localized("noNotes") : localized("noNoteN", { n, notes: known });
  return { refusal: refuse("NOTE_NOT_FOUND", words).refused };
}

/** By their numbers; absent: the last one, and the one before it. */
export type ComparedRevisions = { from?: number; to?: number };

export async function diffMessage(call: CommandCall, state: PlanModeState, sides: ComparedRevisions): Promise<Read> {
  const revisions = await revisionsIn(call, state);
  const numbered = (n: number) => revisions.find(({ revision }) => revision === n);
  const after = sides.to === undefined ? revisions.at(-1) : numbered(sides.to);
  if (revisions.length === 0) return { refusal: NO_PLAN };
  if (after === undefined) return noRevision(sides.to ?? 0);
  const before = sides.from === undefined ? revisions.at(-2) : numbered(sides.from);
  if (before === undefined) return sides.from === undefined ? localized("firstRevision") : noRevision(sides.from);
  const notes = (state.review?.notes ?? []).filter(({ revision }) => revision <= before.revision);
  return diffWords(comparePlans(before, after, notes));
}

const noRevision = (n: number): { refusal: Refusal } => ({
  refusal: refuse("PLAN_NOT_FOUND", localized("noRevision", { n })).refused,
});

/** Of the plan in this session, oldest first, as far as the session remembers them. */
async function revisionsIn(call: CommandCall, state: PlanModeState): Promise<PlanRevision[]> {
  const submission = submissionOf(state);
  if (submission === undefined) return [];
  const cycleId = cycleIdOf(state);
  const earlier = (state.past ?? []).filter((past) => past.cycleId === cycleId).map(({ planId }) => planId);
  const ids = new Set([...earlier, submission.planId]);
  const found = await Promise.all([...ids].map((planId) => revisionOf(call, planId)));
  return found.filter((one) => one !== undefined).toSorted((a, b) => a.revision - b.revision);
}

export async function revisionOf(call: CommandCall, planId: string): Promise<PlanRevision | undefined> {
  const stored = await call.artifact("plan", planId);
  return stored === undefined ? undefined : PlanRevision.parse(stored);
}
