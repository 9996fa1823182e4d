import { placeNote } from "../../plan-mode/machine/note/place-note.ts";
import type { PlanRevision } from "../../protocol/plan.ts";
import type { Note } from "../../protocol/review/review.ts";

/** Notes that had been written while this revision was the last one or before, each where it stands in it. */
export const notesOn = ({ body, revision }: PlanRevision, notes: readonly Note[]): Note[] =>
  notes.filter((note) => note.revision <= revision).map((note) => ({ ...note, ...placeNote(note.anchor, body) }));
