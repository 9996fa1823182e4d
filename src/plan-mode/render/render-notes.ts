/** Notes on a plan for people to read, in its order, open ones first by place and resolved ones marked. */
import type { Note } from "../protocol/review.ts";
import { lines, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { defuseLine, oneLine } from "../../plugins/sdk.ts";
import { inPlanOrder, placeName } from "../machine/note/notes-text.ts";
import { block, type Format, inline } from "./format.ts";

export function renderNotes(notes: readonly Note[], { format }: { format: Format }): string {
  if (format === "plain") return notesWords(notes).text;
  if (notes.length === 0) return localized("noNotes").text;
  return inPlanOrder(notes)
    .map((note) => renderNote(note, format))
    .join("\n");
}

/** In plain text, with what its lines mean. */
export const notesWords = (notes: readonly Note[]): LocalizedText =>
  notes.length === 0 ? localized("noNotes") : lines(inPlanOrder(notes).map(noteWords));

function noteWords(note: Note): LocalizedText {
  const { n, kind, by, revision, anchor } = note;
  const quote =
    anchor.on === "plan" || anchor.quote === undefined ? [] : [`  “${inline(anchor.quote.exact, "plain")}”`];
  return lines([
    localized("noteLine", {
      n,
      kind: localized(`note_${kind}`),
      place: placeWords(note),
      by: inline(by.name, "plain"),
      revision,
      state: stateWords(note),
    }),
    ...quote,
    block(note.text, "plain"),
    ...note.replies.map((reply) => `  ↳ ${inline(reply.by.name, "plain")}: ${inline(oneLine(reply.text), "plain")}`),
  ]);
}

function stateWords({ resolved, addressedIn: revision }: Note): LocalizedText {
  if (resolved === null)
    return revision === undefined ? localized("noteOpen") : localized("noteOpenAnswered", { revision });
  const name = inline(resolved.by.name, "plain");
  return revision === undefined
    ? localized("noteResolvedBy", { name })
    : localized("noteResolvedAnswered", { name, revision });
}

function placeWords({ anchor, standing }: Note): LocalizedText {
  const how = standing === "orphaned" ? "Gone" : standing === "moved" ? "Moved" : "";
  switch (anchor.on) {
    case "plan":
      return localized("placePlan");
    case "section":
      return localized(`placeSection${how}`, { section: anchor.section });
    case "step":
      return localized(`placeStep${how}`, { step: anchor.step, text: defuseLine(anchor.text, STEP_CHARS_SHOWN) });
  }
}

const STEP_CHARS_SHOWN = 80;

function renderNote(note: Note, format: Format): string {
  const { n, kind, by, revision, resolved, addressedIn, anchor } = note;
  const state = resolved === null ? "open" : `resolved by ${inline(resolved.by.name, format)}`;
  const said = addressedIn === undefined ? "" : ` · answered by revision ${addressedIn}, says the agent`;
  const quote = anchor.on === "plan" || anchor.quote === undefined ? [] : [`“${inline(anchor.quote.exact, format)}”`];
  const place = inline(placeName(note), format);
  return [
    `n${n} · ${kind} · ${place} · ${inline(by.name, format)}, revision ${revision} · ${state}${said}`,
    ...quote.map((text) => `  ${text}`),
    block(note.text, format),
    ...note.replies.map((reply) => `  ↳ ${inline(reply.by.name, format)}: ${inline(oneLine(reply.text), format)}`),
  ].join("\n");
}
