/**
 * What a person typed on a card and has not sent, by session and card; this tab's own. It outlives the card: decided
 * elsewhere, the words are still theirs (`unsent-words.ts` offers them).
 */
import type { SessionId } from "../../src/protocol/ids.ts";
import { cell, type Readable } from "../state/cell.ts";

export type KeptWords = { cardId: string; text: string };

const CARDS_KEPT_MAX = 20;
const keyOf = (sessionId: SessionId): string => `holdpoint.words.${sessionId}`;

const changes = cell(0);

function all(sessionId: SessionId): readonly KeptWords[] {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this module wrote it, and nobody else can
    return JSON.parse(sessionStorage.getItem(keyOf(sessionId)) ?? "[]") as KeptWords[];
  } catch {
    return [];
  }
}

export const keptWords: Readable<number> & {
  all(sessionId: SessionId): readonly KeptWords[];
  read(sessionId: SessionId, cardId: string): string;
  /** An empty text forgets it. */
  write(sessionId: SessionId, words: KeptWords): void;
} = {
  get: changes.get,
  subscribe: changes.subscribe,
  all,
  read: (sessionId, cardId) => all(sessionId).find((words) => words.cardId === cardId)?.text ?? "",
  write(sessionId, { cardId, text }) {
    const others = all(sessionId).filter((words) => words.cardId !== cardId);
    const kept = text === "" ? others : [...others, { cardId, text }].slice(-CARDS_KEPT_MAX);
    try {
      if (kept.length === 0) sessionStorage.removeItem(keyOf(sessionId));
      else sessionStorage.setItem(keyOf(sessionId), JSON.stringify(kept));
    } catch {
      // the browser's store is full: the text stays in the field, it only does not outlive a reload
    }
    changes.change((n) => n + 1);
  },
};

/** Where a session's notes and replies that were not sent are kept; what they say is read by `note-drafts.ts`. */
export const noteKeyPrefix = (sessionId: SessionId): string => `holdpoint.note.${sessionId}.`;

export const hasNoteDrafts = (sessionId: SessionId): boolean =>
  Object.keys(sessionStorage).some((key) => key.startsWith(noteKeyPrefix(sessionId)));
