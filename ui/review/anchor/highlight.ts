/** Marks the words that notes point at, without touching the elements that show them. */
import type { PlanBody } from "../../../src/plan-mode/protocol/plan.ts";
import type { Note } from "../../../src/plan-mode/protocol/review.ts";
import { placeOf, writtenAt } from "../notes/places.ts";
import { shownSpan, spanOfQuote } from "./quote-spans.ts";
import { rangeOf, shownText } from "./shown-text.ts";

const HIGHLIGHT = "hp-note";
const RANGES_MAX = 200;

/** Undefined where it points at no words, or they are not shown. */
function rangeOfNote(root: ParentNode, note: Note, body: PlanBody): Range | undefined {
  if (note.anchor.on === "plan" || note.anchor.quote === undefined || note.standing === "orphaned") return undefined;
  const place = placeOf(note, body);
  const words = root.querySelector(`[data-words="${place}"]`);
  const written = writtenAt(place, body);
  const span = written === undefined ? undefined : spanOfQuote(written, note.anchor.quote);
  if (words === null || written === undefined || span === undefined) return undefined;
  const shown = shownText(words);
  const there = shownSpan(shown.text, written, span);
  return there === undefined ? undefined : rangeOf(shown, there);
}

export function highlightNotes(root: ParentNode, notes: readonly Note[], body: PlanBody): void {
  if (!("highlights" in CSS)) return; // the words stand in the note as well
  const open = notes.filter(({ resolved }) => resolved === null);
  const ranges = open.slice(0, RANGES_MAX).flatMap((note) => rangeOfNote(root, note, body) ?? []);
  CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
}

export function clearHighlights(): void {
  if ("highlights" in CSS) CSS.highlights.delete(HIGHLIGHT);
}
