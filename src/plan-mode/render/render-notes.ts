/** Notes on a plan for people to read, in its order, open ones first by place and resolved ones marked. */
import type { Note } from "../../protocol/review/review.ts";
import { oneLine } from "../../plugins/sdk.ts";
import { inPlanOrder, placeName } from "../machine/review/notes-text.ts";
import { block, type Format, inline } from "./format.ts";

export function renderNotes(notes: readonly Note[], { format }: { format: Format }): string {
  if (notes.length === 0) return "There are no notes on this plan.";
  return inPlanOrder(notes)
    .map((note) => renderNote(note, format))
    .join("\n");
}

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
