/**
 * Open notes as one text for the agent, in the order in which the plan is read. The server's own words and the people's
 * are kept apart: what people wrote is quoted line by line and can neither close the envelope nor open another.
 */
import type { Note, NoteAnchor } from "../../../protocol/review/review.ts";
import { defuseLine, firstChars, quoted } from "../../../plugins/sdk.ts";
import { SECTION_ORDER } from "./section-text.ts";

/** All open notes together, as the agent reads them; what does not fit is refused when it is written. */
export const NOTES_TEXT_CHARS_MAX = 12_000;
/** Places change with a revision and their names with them; beyond this the last notes are only counted. */
const TEXT_CHARS_HARD_MAX = 15_000;

const STEP_CHARS_SHOWN = 80;
const QUOTE_CHARS_SHOWN = 200;
const NAME_CHARS_MAX = 80;

/** By section, step and range; then by time. */
export function inPlanOrder(notes: readonly Note[]): Note[] {
  return notes.toSorted((a, b) => compare(keyOf(a.anchor), keyOf(b.anchor)) || a.atMs - b.atMs || a.n - b.n);
}

/** The whole plan first, then the summary, the steps, and the other sections as they stand. */
function keyOf(anchor: NoteAnchor): number[] {
  switch (anchor.on) {
    case "plan":
      return [0, 0, 0];
    case "step":
      return [2, anchor.step, rangeKey(anchor)];
    case "section": {
      const place = SECTION_ORDER.indexOf(anchor.section);
      return [place === 0 ? 1 : 2 + place, 0, rangeKey(anchor)];
    }
  }
}

/** A note on the whole comes before those on its words. */
const rangeKey = ({ quote }: Exclude<NoteAnchor, { on: "plan" }>): number =>
  quote === undefined ? 0 : 1 + (quote.start ?? 0);

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Empty where there are none. */
export function notesText(notes: readonly Note[]): string {
  const blocks = inPlanOrder(notes).map(noteText);
  let text = "";
  for (const [index, block] of blocks.entries()) {
    const longer = text === "" ? block : `${text}\n${block}`;
    if (longer.length > TEXT_CHARS_HARD_MAX) return `${text}\n(and ${blocks.length - index} more notes)`;
    text = longer;
  }
  return text;
}

function noteText(note: Note): string {
  const { n, kind, by, revision, text, replies, addressedIn } = note;
  const said = addressedIn === undefined ? "" : `, still open after revision ${addressedIn}`;
  return [
    `n${n} (${kind}) on ${placeName(note)} by ${name(by.name)}, revision ${revision}${said}:`,
    ...quoteLine(note.anchor),
    quoted(text),
    ...replies.flatMap((reply) => [`reply by ${name(reply.by.name)}:`, quoted(reply.text)]),
  ].join("\n");
}

/** For people and for the agent. */
export function placeName({ anchor, standing }: Pick<Note, "anchor" | "standing">): string {
  const gone = standing === "orphaned" ? " (gone from this revision)" : standing === "moved" ? " (changed since)" : "";
  switch (anchor.on) {
    case "plan":
      return "the whole plan";
    case "section":
      return `${anchor.section}${gone}`;
    case "step":
      return `step ${anchor.step} "${defuseLine(anchor.text, STEP_CHARS_SHOWN)}"${gone}`;
  }
}

function quoteLine(anchor: NoteAnchor): string[] {
  if (anchor.on === "plan" || anchor.quote === undefined) return [];
  return [`about the words: "${defuseLine(firstChars(anchor.quote.exact, QUOTE_CHARS_SHOWN), QUOTE_CHARS_SHOWN)}"`];
}

const name = (text: string): string => defuseLine(text, NAME_CHARS_MAX);
