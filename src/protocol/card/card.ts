/**
 * A card: what a session shows a person to decide, to answer or to know, with everything that they can do about it. A
 * slice describes its cards, and every surface draws them from this model alone: the page, the terminal, text, channels.
 *
 *   approval  pending ─▶ approved · edited ─▶ completed         any of them ─▶ superseded · left
 *                └────▶ rejected (may still be approved) · timed_out
 *   question  open ─▶ answered · declined · deferred · expired · superseded · left
 *   grant     open ─▶ given ─▶ spent · expired · void           open ─▶ denied · declined · deferred · expired · void
 *   notice    shown ─▶ ended
 *
 * A card is the same for everybody; what one person may do now follows from it (`availability.ts`). Text in `CardText` is
 * the gateway's or a plugin's; every other text is data of an agent or a person and is shown as such. Without a schema
 * library: the page reads this file too; the same as a schema is `card-schema.ts`.
 */
import type { By, Scope } from "../actor.ts";
import type { Json } from "../json.ts";
import type { LocalizedLine } from "../localized/localized-text.ts";

export const APPROVAL_STATES = [
  "pending",
  "approved",
  "edited",
  "rejected",
  "timed_out",
  "superseded",
  "left",
  "completed",
] as const;
export const QUESTION_STATES = ["open", "answered", "declined", "deferred", "expired", "superseded", "left"] as const;
export const GRANT_STATES = ["open", "given", "denied", "declined", "deferred", "spent", "expired", "void"] as const;
export const NOTICE_STATES = ["shown", "ended"] as const;

export type ApprovalState = (typeof APPROVAL_STATES)[number];
export type QuestionState = (typeof QUESTION_STATES)[number];
export type GrantState = (typeof GRANT_STATES)[number];
export type NoticeState = (typeof NOTICE_STATES)[number];

/** English, and beside it what each line means, for surfaces that speak other languages. */
export type CardText = { text: string; said?: LocalizedLine[] };

export type CardOption = { id: string; label: string; description?: string };

/** What an action needs besides the click; it goes into the patch under `field`. */
export type CardInput =
  | { kind: "none" }
  | { kind: "text"; field: string; charsMin: number; charsMax: number; label: CardText }
  /** One of the options by its id; `freeText`: or in the person's own words. */
  | { kind: "option"; field: string; options: CardOption[]; freeText?: { charsMax: number; label: CardText } }
  /** The steps of the plan as the person wants them. */
  | { kind: "steps"; field: string };

/** Why something cannot be done, with the code that the gateway would refuse it with. */
export type CardBlock = { code: string; text: CardText };

export type CardAction = {
  id: string;
  label: CardText;
  hint?: CardText;
  /** `yes` unlocks something, `no` makes things safer. */
  tone: "yes" | "no" | "other";
  scope: Scope;
  input: CardInput;
  /** `sessions.patch {[field]: value}` carries it out, with the input in the value. */
  patch: { field: string; value: Json };
  /** What a person types instead; a text or an option follows it. Absent where it cannot be typed. */
  command?: string;
  /** Only these may: names, ids or scopes. Absent: whoever has the scope. */
  approvers?: string[];
  /** Whose decision of this very kind counts already: theirs would change nothing. */
  signedBy?: By[];
  /** What stands in everybody's way now. */
  blocked?: CardBlock;
};

/** While somebody reads, the time stands still until `pausedUntilMs`; `atMs` has that time added already. */
export type CardDeadline = { atMs: number; pausedUntilMs?: number; readBy?: By };

export type CardOutcome = {
  /** Absent where nobody did: the time ran out. */
  by?: By;
  atMs?: number;
  /** Feedback, an answer or a reason, in the person's words. */
  words?: string;
  optionId?: string;
};

type CardBase = {
  /** What decisions about it name; for ever the same, and never of two cards. */
  id: string;
  /** The slice that described it. */
  slice: string;
  /** The plugin from outside that shows it, set by the gateway: every surface says so. Absent: part of the gateway. */
  plugin?: string;
  /** What this is, as a heading above the title. */
  heading: CardText;
  /** Of an agent or a person. */
  title: string;
  /** How it stands, in a sentence: that it waits, who decided, what it says. */
  status: CardText;
  /** What weakens every decision here, set by the gateway: every surface shows it beside the card. */
  warnings?: CardText[];
  sinceMs: number;
  deadline?: CardDeadline;
  outcome?: CardOutcome;
  /** How far it was escalated because nobody answered: whom it is shown besides. Absent: not at all. */
  escalation?: number;
  actions: CardAction[];
};

export const CARD_STEP_STATUSES = ["pending", "in_progress", "completed", "cancelled"] as const;
export type CardStepStatus = (typeof CARD_STEP_STATUSES)[number];
export const CARD_STEPS_MAX = 500;

export type CardStep = {
  text: string;
  status: CardStepStatus;
  activeForm?: string;
  criteria: CardCriterion[];
  /** The numbers of the steps that come before it. */
  after?: number[];
  /** What it says it will touch. */
  scope?: CardScope;
};

/** `proof`: what proves it, where the plan asks for more than the agent's word. */
export type CardCriterion = {
  text: string;
  verified: boolean;
  proof?: string;
  standing?: ProofStanding;
  seen?: string;
};

/** By what was seen, whatever the agent says; `seen` tells what that was. */
export const PROOF_STANDINGS = ["missing", "failed", "outdated", "proven", "waived"] as const;
export type ProofStanding = (typeof PROOF_STANDINGS)[number];

export const CARD_SCOPE_PARTS = ["paths", "commands", "hosts", "tools"] as const;
export type CardScope = { [Part in (typeof CARD_SCOPE_PARTS)[number]]?: string[] | undefined };

/** A part of the document besides its steps, such as its risks. */
export type CardSection = {
  id: string;
  heading: CardText;
  text?: string;
  items?: string[];
  pairs?: { text: string; answer: string }[];
};

export type CardSigning = {
  quorum: number;
  signatures: { by: By; atMs: number; allowsEdits: boolean }[];
  /** Those of the listed who have not signed. */
  missing: string[];
};

export type ApprovalCard = CardBase & {
  kind: "approval";
  state: ApprovalState;
  /** The whole text of it, read with `plans.get`. */
  planId?: string;
  revision?: number;
  digest?: string;
  /** The person who edited the agent's steps into these. */
  editedBy?: By;
  /** The scheduled job whose run submitted it, and who answers for that job; the heading names both. */
  job?: { id: string; name: string; ownedBy?: By };
  steps: CardStep[];
  /** Where whoever made the card had the whole document at hand. */
  sections?: CardSection[];
  /** Where more than one must sign, or only some may. */
  signing?: CardSigning;
  notesOpen: number;
  /** Of those, the ones that the agent says to have answered and nobody has looked at since. */
  notesAnswered?: number;
  /** Sessions below this one that still work: nothing is approved before they are back. */
  blockedBy?: { id: string; title: string }[] | "unknown";
};

export type QuestionCard = CardBase & {
  kind: "question";
  state: QuestionState;
  questionId: string;
  question: string;
  options: CardOption[];
  freeText: boolean;
};

/** A held call that a person may let pass once. */
export type GrantCard = CardBase & {
  kind: "grant";
  state: GrantState;
  questionId: string;
  call: { tool: string; folder: string; shown: string; rule: string; matched: string };
  why: CardText;
  /** Of a yes that was given: the name of the card that shows it until it is used. */
  grantId?: string;
  /** Of a yes that was given: how long it waits to be used. */
  untilMs?: number;
};

export type NoticeCard = CardBase & {
  kind: "notice";
  state: NoticeState;
  level: "info" | "warning";
  /** Of a reminder: the card that still waits. Whoever was shown that one is sent this one. */
  remindsOf?: string;
};

export type Card = ApprovalCard | QuestionCard | GrantCard | NoticeCard;

/** How the cards of a session are now, and those that were closed since the last word of them. */
export type SessionCards = { cards: Card[]; closed: Card[] };

/** Whether it waits for a person. */
export function isWaiting(card: Card): boolean {
  return card.kind === "approval" ? card.state === "pending" : card.state === "open";
}

/** Without those of plugins from outside: what a person types about "the plan" is never about one of them. */
export const ofGateway = (cards: readonly Card[]): Card[] => cards.filter(({ plugin }) => plugin === undefined);

/** The plan: what waits, else the last. */
export function approvalIn(cards: readonly Card[]): ApprovalCard | undefined {
  const approvals = ofGateway(cards).filter((card) => card.kind === "approval");
  return approvals.find(isWaiting) ?? approvals[0];
}

/** The question or the held call that waits for an answer. */
export function askingIn(cards: readonly Card[]): QuestionCard | GrantCard | undefined {
  return cards.filter((card) => card.kind === "question" || card.kind === "grant").find(isWaiting);
}

/** The one that a surface with room for one shows: what waits, the gateway's first; else what became of the last. */
export function foremost(cards: readonly Card[]): Card | undefined {
  return ofGateway(cards).find(isWaiting) ?? cards.find(isWaiting) ?? cards.find(({ kind }) => kind === "approval");
}

/** When the time is up as it is shown: while somebody reads it stands still. */
export function shownDeadline(
  { atMs, pausedUntilMs }: CardDeadline,
  nowMs: number,
): { untilMs: number; paused: boolean } {
  const stillMs = pausedUntilMs === undefined ? 0 : Math.max(0, pausedUntilMs - nowMs);
  return { untilMs: atMs - stillMs, paused: stillMs > 0 };
}

/** The same counts on every surface: what was cancelled is no longer open, and was not done. */
export function progressOf(steps: readonly { status: string }[]): { done: number; cancelled: number; all: number } {
  const count = (sought: string): number => steps.filter(({ status }) => status === sought).length;
  return { done: count("completed"), cancelled: count("cancelled"), all: steps.length };
}

/** With what the plan says besides its steps, beside what the card itself carries: what it touches, what was noted. */
export const withSections = (card: ApprovalCard, text: readonly CardSection[]): ApprovalCard => {
  const known = new Set(text.map(({ id }) => id));
  return { ...card, sections: [...text, ...(card.sections ?? []).filter(({ id }) => !known.has(id))] };
};

/** A few characters of a digest: enough to compare it with the one that another surface shows. */
export const shortDigest = (digest: string): string => digest.replace(/^[a-z0-9]+:/, "").slice(0, 12);
