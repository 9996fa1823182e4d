/** Notes, signatures, readers and links as lines of the conversation. */
import { never } from "../../core/never.ts";
import { placeName } from "../../plan-mode/machine/note/notes-text.ts";
import type { PlanModeEvent, PlanModeState } from "../../protocol/plan-mode.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";
import { MARKS } from "./marks.ts";
import { type Beholder, who } from "./who.ts";

const TYPES = [
  "plan.signed",
  "plan.reading",
  "plan.shared",
  "plan.unshared",
  "note.added",
  "note.replied",
  "note.resolved",
  "note.reopened",
  "notes.moved",
] as const;

type Told = Extract<PlanModeEvent, { type: (typeof TYPES)[number] }>;

export const isReviewFact = (event: PlanModeEvent): event is Told => TYPES.some((type) => type === event.type);

/** `before` is the state that the fact met. */
export function reviewLines(event: Told, before: PlanModeState, beholder: Beholder): string[] {
  const text = sentence(event, before, beholder);
  const { columns, paint } = beholder.look;
  return text === "" ? [] : hang(`${MARKS.note} `, text, columns).map(paint.quiet);
}

function sentence(event: Told, { review }: PlanModeState, beholder: Beholder): string {
  const numberOf = (id: string): string => `n${review?.notes.find((note) => note.id === id)?.n ?? "?"}`;
  switch (event.type) {
    case "plan.signed":
      return signed(event, beholder);
    case "note.added": {
      const { note } = event;
      return `${who(note.by, beholder)} noted n${note.n} on ${sanitiseLine(placeName(note))}: ${sanitise(note.text)}`;
    }
    case "note.replied":
      return `${who(event.reply.by, beholder)} replied to ${numberOf(event.noteId)}: ${sanitise(event.reply.text)}`;
    case "note.resolved":
      return `${who(event.by, beholder)} resolved ${numberOf(event.noteId)}.`;
    case "note.reopened":
      return `${who(event.by, beholder)} reopened ${numberOf(event.noteId)}.`;
    case "notes.moved": {
      const open = event.moves.length;
      const answered = event.addressed.map(numberOf).join(", ");
      const said =
        answered === "" ? "The agent does not say which it answers." : `The agent says it answers ${answered}.`;
      return open === 0 ? "" : `${open} ${open === 1 ? "note is" : "notes are"} open on this revision. ${said}`;
    }
    case "plan.shared":
      return `${who(event.by, beholder)} made a read-only link to the plan.`;
    case "plan.unshared":
      return `${who(event.by, beholder)} ended a link to the plan.`;
    case "plan.reading":
      return ""; // the countdown tells it
    default:
      return never(event);
  }
}

function signed({ signature, needs }: Extract<Told, { type: "plan.signed" }>, beholder: Beholder): string {
  const missing = needs.missing.length === 0 ? "" : ` Not yet signed: ${needs.missing.map(sanitiseLine).join(", ")}.`;
  return `${who(signature.by, beholder)} signed; ${needs.quorum} signatures are needed.${missing}`;
}
