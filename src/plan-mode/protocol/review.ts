/**
 * Review of a plan: notes and their threads, and what changed from one revision to another.
 *
 *   note:  open ──resolve──▶ resolved ──reopen──▶ open
 *            └──a new revision──▶ open, its place found again: exact, moved, or orphaned
 */
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import { By } from "../../protocol/actor.ts";
import { ApprovalId, CycleId, NoteId, PlanId } from "../../protocol/ids.ts";
import { BlockChange, Change, DiffPart, StepChange } from "./plan-diff.ts";
import { StepNumbers } from "./approvals.ts";
import { STEPS_MAX } from "./plan.ts";
import { STEP_DECISIONS } from "./step/step-decisions.ts";

/** In the session's row; what was resolved leaves it with the next revision and stays in the records. */
export const NOTES_MAX = 200;
export const NOTE_CHARS_MAX = 4_000;
export const REPLIES_MAX = 50;
export const QUOTE_CHARS_MAX = 400;
export const CONTEXT_CHARS_MAX = 64;
export const STEP_MARK_CHARS_MAX = 200;

/** The parts of a plan besides its steps, as they stand in `PlanBody`. */
export const PlanSection = z.enum([
  "summary",
  "analysis",
  "assumptions",
  "risks",
  "verification",
  "references",
  "jobs",
]);
export type PlanSection = z.infer<typeof PlanSection>;

/** A range of text, named by its words and by those around it, so that it is found again when the text was edited. */
export const TextQuote = lazySchema(() =>
  z.strictObject({
    exact: z.string().min(1).max(QUOTE_CHARS_MAX),
    prefix: z.string().max(CONTEXT_CHARS_MAX).optional(),
    suffix: z.string().max(CONTEXT_CHARS_MAX).optional(),
    /** Where it begins in the text of its section or step; a hint where the same words stand there twice. */
    start: z.int().nonnegative().optional(),
  }),
);
export type TextQuote = z.infer<typeof TextQuote>;

const onPlan = lazySchema(() => z.strictObject({ on: z.literal("plan") }));
const onSection = lazySchema(() =>
  z.strictObject({ on: z.literal("section"), section: PlanSection, quote: TextQuote.optional() }),
);
const stepNumber = z.int().min(1).max(STEPS_MAX);

/** What a person points at: the plan, a section, a step by its number, or words in one of them. */
export const NoteTarget = lazySchema(() =>
  z.discriminatedUnion("on", [
    onPlan,
    onSection,
    z.strictObject({ on: z.literal("step"), step: stepNumber, quote: TextQuote.optional() }),
  ]),
);
export type NoteTarget = z.infer<typeof NoteTarget>;

/** The same as it is kept: a step also by the beginning of its text, which moves with it. */
export const NoteAnchor = lazySchema(() =>
  z.discriminatedUnion("on", [
    onPlan,
    onSection,
    z.strictObject({
      on: z.literal("step"),
      step: stepNumber,
      text: z.string().max(STEP_MARK_CHARS_MAX),
      quote: TextQuote.optional(),
    }),
  ]),
);
export type NoteAnchor = z.infer<typeof NoteAnchor>;

/** `moved`: found by likeness. `orphaned`: what it pointed at is gone; it is shown at the section or the steps. */
export const Standing = z.enum(["exact", "moved", "orphaned"]);
export type Standing = z.infer<typeof Standing>;

/** `change` asks for another plan, `question` for an answer, `comment` for nothing. */
export const NoteKind = z.enum(["change", "question", "comment"]);
export type NoteKind = z.infer<typeof NoteKind>;

const noteText = z.string().max(NOTE_CHARS_MAX);

const NoteReply = lazySchema(() => z.strictObject({ by: By, atMs: z.int(), text: noteText }));
export type NoteReply = z.infer<typeof NoteReply>;

export const Note = lazySchema(() =>
  z.strictObject({
    id: NoteId,
    /** Its number in the cycle, by which people and the agent call it: n1, n2, … */
    n: z.int().positive(),
    kind: NoteKind,
    anchor: NoteAnchor,
    standing: Standing,
    text: noteText,
    by: By,
    atMs: z.int(),
    planId: PlanId,
    revision: z.int().positive(),
    replies: z.array(NoteReply).max(REPLIES_MAX),
    resolved: z.strictObject({ by: By, atMs: z.int() }).nullable(),
    /** The first revision of which the agent said that it answers this note. */
    addressedIn: z.int().positive().optional(),
  }),
);
export type Note = z.infer<typeof Note>;

export const Review = lazySchema(() =>
  z.strictObject({ lastN: z.int().nonnegative(), notes: z.array(Note).max(NOTES_MAX) }),
);
export type Review = z.infer<typeof Review>;

/** What people send through `sessions.patch {planNote}`. */
export const PlanNote = lazySchema(() =>
  z.discriminatedUnion("action", [
    z.strictObject({
      action: z.literal("add"),
      /** Of the revision that the writer reads: a note on another one would point at the wrong words. */
      approvalId: ApprovalId.optional(),
      kind: NoteKind.default("change"),
      anchor: NoteTarget,
      text: noteText,
    }),
    z.strictObject({ action: z.literal("reply"), noteId: NoteId, text: noteText }),
    z.strictObject({ action: z.literal("resolve"), noteId: NoteId }),
    z.strictObject({ action: z.literal("reopen"), noteId: NoteId }),
  ]),
);
export type PlanNote = z.infer<typeof PlanNote>;

const at = { atMs: z.int() };
const moves = lazySchema(() =>
  z.array(z.strictObject({ noteId: NoteId, anchor: NoteAnchor, standing: Standing })).max(NOTES_MAX),
);

export const ReviewEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("note.added"), note: Note, ...at }),
  z.strictObject({ type: z.literal("note.replied"), noteId: NoteId, reply: NoteReply, ...at }),
  z.strictObject({ type: z.literal("note.resolved"), noteId: NoteId, by: By, ...at }),
  z.strictObject({ type: z.literal("note.reopened"), noteId: NoteId, by: By, ...at }),
  /** A new revision came: where each open note stands in it, and which of them it says to answer. */
  z.strictObject({
    type: z.literal("notes.moved"),
    planId: PlanId,
    revision: z.int().positive(),
    moves,
    addressed: z.array(NoteId).max(NOTES_MAX),
    ...at,
  }),
]);
export type ReviewEvent = z.infer<typeof ReviewEvent>;

/** Everything that was decided about a plan, with who and when. */
export const PlanDecided = lazySchema(() =>
  z.strictObject({
    type: z.literal("decided"),
    planId: PlanId,
    approvalId: ApprovalId,
    digest: z.string(),
    decision: z.enum(["signed", "approved", "edited", "standing", "rejected", "timed_out", ...STEP_DECISIONS]),
    by: By,
    /** Where the person decided: on the page, in a terminal, on a channel. Absent of rules, of time, and of what was kept before this was. */
    surface: z.string().exactOptional(),
    /** The steps that it is about, by their numbers; absent where it is about all of them. */
    steps: StepNumbers.optional(),
    feedback: z.string().optional(),
    /** The open notes that went along, as the agent received them. */
    notes: z.string().optional(),
    ...at,
  }),
);
export type PlanDecided = z.infer<typeof PlanDecided>;

/** One fact of a review, kept for ever beside the session. */
export const ReviewRecord = lazySchema(() =>
  z.strictObject({
    cycleId: CycleId,
    fact: z.discriminatedUnion("type", [...ReviewEvent.options, PlanDecided]),
  }),
);
export type ReviewRecord = z.infer<typeof ReviewRecord>;

/** `declared`: the agent said so. Otherwise the change lies where the note points. */
export const Answering = lazySchema(() =>
  z.strictObject({ noteId: NoteId, n: z.int().positive(), declared: z.boolean() }),
);
export type Answering = z.infer<typeof Answering>;

const answers = z.array(Answering).max(NOTES_MAX);
const revisionSide = lazySchema(() =>
  z.strictObject({ planId: PlanId, revision: z.int().positive(), author: By, atMs: z.int() }),
);

export const PlanDiff = lazySchema(() =>
  z.strictObject({
    from: revisionSide,
    to: revisionSide,
    title: z.array(DiffPart).nullable(),
    sections: z.array(
      z.strictObject({
        section: PlanSection,
        change: Change,
        text: z.array(DiffPart),
        answers,
        /** The same block by block, in the order in which it is read. */
        blocks: z.array(BlockChange).exactOptional(),
      }),
    ),
    steps: z.array(StepChange.extend({ answers })),
    /** Notes that the newer revision says to answer although nothing changed where they point. */
    declaredElsewhere: answers,
    /** The same as unified text. */
    raw: z.string(),
  }),
);
export type PlanDiff = z.infer<typeof PlanDiff>;
