/** How each fact of a review changes its notes. The same for the session's row and for the records read back. */
import type { Note, Review, ReviewEvent } from "../../protocol/review.ts";
import { never } from "../../../plugins/sdk.ts";

export const NO_REVIEW: Review = { lastN: 0, notes: [] };

export function evolveReview(review: Review, event: ReviewEvent): Review {
  switch (event.type) {
    case "note.added":
      return { lastN: event.note.n, notes: [...review.notes, event.note] };
    case "note.replied":
      return changed(review, event.noteId, (note) => ({
        ...unanswered(note),
        replies: [...note.replies, event.reply],
      }));
    case "note.resolved":
      return changed(review, event.noteId, (note) => ({ ...note, resolved: { by: event.by, atMs: event.atMs } }));
    case "note.reopened":
      return changed(review, event.noteId, (note) => ({ ...unanswered(note), resolved: null }));
    case "notes.moved":
      return moved(review, event);
    default:
      return never(event);
  }
}

/** What was resolved stays in the records; the row makes room for what is open. */
export const onlyOpen = (review: Review): Review => ({ ...review, notes: review.notes.filter(isOpen) });

export const isOpen = ({ resolved }: Note): boolean => resolved === null;

/** The agent said that its last revision answers it, and nobody has objected since; a person still has to agree. */
export const isAnswered = (note: Note): boolean => isOpen(note) && note.addressedIn !== undefined;

/** Whoever says more about a note, or opens it again, was not content with the answer. */
const unanswered = ({ addressedIn: _answer, ...note }: Note): Note => note;

const changed = (review: Review, id: string, change: (note: Note) => Note): Review => ({
  ...review,
  notes: review.notes.map((note) => (note.id === id ? change(note) : note)),
});

function moved(review: Review, event: Extract<ReviewEvent, { type: "notes.moved" }>): Review {
  const places = new Map(event.moves.map(({ noteId, anchor, standing }) => [noteId, { anchor, standing }]));
  const addressed = new Set(event.addressed);
  return {
    ...review,
    notes: review.notes.map((note) => ({
      ...note,
      ...places.get(note.id),
      ...(addressed.has(note.id) && note.addressedIn === undefined ? { addressedIn: event.revision } : {}),
    })),
  };
}
