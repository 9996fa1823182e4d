/** Notes on the plan that lies before people: written, answered, resolved. Whoever may decide on it may write them. */
import { NoteId } from "../../../protocol/ids.ts";
import type { PlanModeState, Submission } from "../../protocol/state.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { localized } from "../../texts/localized.ts";
import {
  type Note,
  type NoteAnchor,
  NOTES_MAX,
  type NoteTarget,
  type PlanNote,
  REPLIES_MAX,
  type Review,
} from "../../protocol/review.ts";
import { isBlank, never } from "../../../plugins/sdk.ts";
import { findSubmission } from "../signature/decide.ts";
import type { PlanDecision } from "../decision.ts";
import { byOf, type PlanContext } from "../actors.ts";
import { evolveReview, isOpen, NO_REVIEW } from "./evolve.ts";
import { NOTES_TEXT_CHARS_MAX, notesText } from "./notes-text.ts";
import { stepMark } from "./place-note.ts";
import { stepText } from "./section-text.ts";

const NOTE_SLOT = 0;

export function decideNote(state: PlanModeState, asked: PlanNote, context: PlanContext): PlanDecision {
  switch (asked.action) {
    case "add":
      return add(state, asked, context);
    case "reply":
      return reply(state, asked, context);
    case "resolve":
    case "reopen":
      return settle(state, asked, context);
    default:
      return never(asked);
  }
}

type Adding = Extract<PlanNote, { action: "add" }>;

function add(state: PlanModeState, asked: Adding, context: PlanContext): PlanDecision {
  const found = findSubmission(state, asked.approvalId);
  if ("refused" in found) return found;
  if (state.now.phase === "executing") {
    return refuse(
      "APPROVAL_ALREADY_DECIDED",
      "This plan is being carried out; say it to the agent instead of in a note.",
    );
  }
  const anchor = anchorOf(asked.anchor, found.submission);
  if ("refused" in anchor) return anchor;
  const review = state.review ?? NO_REVIEW;
  const { planId, revision } = found.submission;
  const note: Note = {
    id: NoteId.parse(context.freshId("nte", NOTE_SLOT)),
    n: review.lastN + 1,
    kind: asked.kind,
    anchor,
    standing: "exact",
    text: asked.text.trim(),
    by: byOf(context.actor),
    atMs: context.nowMs,
    planId,
    revision,
    replies: [],
    resolved: null,
  };
  const event = { type: "note.added", note, atMs: context.nowMs } as const;
  const refused = refuseText(asked.text) ?? refuseFull(evolveReview(review, event));
  return refused ?? { events: [event], reply: { note_id: note.id, n: note.n } };
}

/** A step is given by its number and kept by its text; words must stand where they are said to, as far as is known here. */
function anchorOf(target: NoteTarget, { steps }: Submission): NoteAnchor | Refused {
  if (target.on !== "step") return target;
  const step = steps[target.step - 1];
  if (step === undefined) {
    return refuse("NOTE_INVALID", localized("noteNoStep", { step: target.step, steps: steps.length }));
  }
  if (target.quote !== undefined && !stepText(step).includes(target.quote.exact)) {
    return refuse("NOTE_INVALID", localized("noteNoWords", { step: target.step }));
  }
  return { ...target, text: stepMark(step) };
}

function reply(
  state: PlanModeState,
  asked: Extract<PlanNote, { action: "reply" }>,
  context: PlanContext,
): PlanDecision {
  const note = find(state, asked.noteId);
  if ("refused" in note) return note;
  if (note.replies.length >= REPLIES_MAX) {
    return refuse("NOTES_FULL", localized("repliesMax", { max: REPLIES_MAX }));
  }
  const said = { by: byOf(context.actor), atMs: context.nowMs, text: asked.text.trim() };
  const event = { type: "note.replied", noteId: note.id, reply: said, atMs: context.nowMs } as const;
  const refused = refuseText(asked.text) ?? refuseFull(evolveReview(state.review ?? NO_REVIEW, event));
  return refused ?? { events: [event], reply: { note_id: note.id, n: note.n } };
}

function settle(
  state: PlanModeState,
  asked: Extract<PlanNote, { action: "resolve" | "reopen" }>,
  context: PlanContext,
): PlanDecision {
  const note = find(state, asked.noteId);
  if ("refused" in note) return note;
  const answer = { note_id: note.id, n: note.n, resolved: asked.action === "resolve" };
  if (isOpen(note) === (asked.action === "reopen")) return { events: [], reply: answer };
  const { nowMs, actor } = context;
  const type = asked.action === "resolve" ? "note.resolved" : "note.reopened";
  const event = { type, noteId: note.id, by: byOf(actor), atMs: nowMs } as const;
  const refused = refuseFull(evolveReview(state.review ?? NO_REVIEW, event));
  return refused ?? { events: [event], reply: answer };
}

function find({ review }: PlanModeState, noteId: string): Note | Refused {
  const note = review?.notes.find((item) => item.id === noteId);
  return note ?? refuse("NOTE_NOT_FOUND", localized("noteUnknown"));
}

function refuseText(text: string): Refused | undefined {
  return isBlank(text) ? refuse("NOTE_INVALID", localized("noteEmpty")) : undefined;
}

/** Everything that is open must fit into one text for the agent: no note may be cut off unseen. */
function refuseFull({ notes }: Review): Refused | undefined {
  if (notes.length > NOTES_MAX) {
    return refuse("NOTES_FULL", localized("notesMax", { max: NOTES_MAX }));
  }
  if (notesText(notes.filter(isOpen)).length <= NOTES_TEXT_CHARS_MAX) return undefined;
  return refuse("NOTES_FULL", localized("notesTooLong"));
}
