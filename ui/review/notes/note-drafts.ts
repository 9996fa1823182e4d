/**
 * Notes and replies that were typed and not sent, by session and place; this tab's own, and gone with it. Each knows the
 * approval that it was written under: decided elsewhere, the words are still their writer's (`unsent-words.ts` offers them).
 */
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { NoteKind, NoteTarget } from "../../../src/plan-mode/protocol/review.ts";
import { noteKeyPrefix } from "../../cards/kept-words.ts";
import { cell, type Readable } from "../../state/cell.ts";

export type NoteDraft = { kind: NoteKind; text: string };
/** `target`: what the note is about; a reply has none of its own. */
export type KeptNote = NoteDraft & { key: string; approvalId: string; target?: NoteTarget };

const NONE: NoteDraft = { kind: "change", text: "" };
const changes = cell(0);

export function draftKey(sessionId: SessionId, target: NoteTarget): string {
  const place = target.on === "plan" ? "plan" : target.on === "section" ? target.section : `step-${target.step}`;
  const quote =
    "quote" in target && target.quote !== undefined ? `.${target.quote.start ?? 0}.${target.quote.exact}` : "";
  return `${noteKeyPrefix(sessionId)}${place}${quote}`;
}

export const replyKey = (sessionId: SessionId, noteId: string): string => `${noteKeyPrefix(sessionId)}reply.${noteId}`;

function kept(key: string): KeptNote | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this module wrote it, and nobody else can
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as KeptNote | undefined;
  } catch {
    return undefined;
  }
}

export const readDraft = (key: string): NoteDraft => kept(key) ?? NONE;

/** An empty text forgets it. */
export function writeDraft(note: KeptNote): void {
  try {
    if (note.text === "") sessionStorage.removeItem(note.key);
    else sessionStorage.setItem(note.key, JSON.stringify(note));
  } catch {
    // the browser's store is full: the text stays in the field, it only does not outlive a reload
  }
  changes.change((n) => n + 1);
}

let sent: string | undefined;

/** A note of this tab is on its way: it is brought into sight where it appears. */
export const noteSent = (text: string): void => void (sent = text);

/** Whether this is the note that was just sent from here; said once. */
export function isJustSent(text: string): boolean {
  const isIt = sent === text;
  if (isIt) sent = undefined;
  return isIt;
}

export const forgetDraft = (key: string): void => writeDraft({ ...NONE, key, approvalId: "" });

/** Says when any of them changed. */
export const noteDrafts: Readable<number> & {
  /** Those that were written under another approval than the one that waits now, if one does. */
  left(sessionId: SessionId, waiting: string | undefined): readonly KeptNote[];
} = {
  get: changes.get,
  subscribe: changes.subscribe,
  left: (sessionId, waiting) =>
    Object.keys(sessionStorage)
      .filter((key) => key.startsWith(noteKeyPrefix(sessionId)))
      .flatMap((key) => kept(key) ?? [])
      .filter(({ approvalId }) => approvalId !== waiting),
};
