/** The notes that belong to one revision of a plan. */
import { placeNote } from "../machine/note/place-note.ts";
import type { PlanRevision } from "../protocol/plan.ts";
import type { Note } from "../protocol/review.ts";

/** Notes that had been written while this revision was the last one or before, each where it stands in it. */
export const notesOn = ({ body, revision }: PlanRevision, notes: readonly Note[]): Note[] =>
  notes.filter((note) => note.revision <= revision).map((note) => ({ ...note, ...placeNote(note.anchor, body) }));
