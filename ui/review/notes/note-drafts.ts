/** Notes and replies that were typed and not sent, by what they are about; this tab's own, and gone with it. */
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { NoteKind, NoteTarget } from "../../../src/plan-mode/protocol/review.ts";

export type NoteDraft = { kind: NoteKind; text: string };

const NONE: NoteDraft = { kind: "change", text: "" };

export function draftKey(sessionId: SessionId, target: NoteTarget): string {
  const place = target.on === "plan" ? "plan" : target.on === "section" ? target.section : `step-${target.step}`;
  const quote =
    "quote" in target && target.quote !== undefined ? `.${target.quote.start ?? 0}.${target.quote.exact}` : "";
  return `holdpoint.note.${sessionId}.${place}${quote}`;
}

export function readDraft(key: string): NoteDraft {
  const [kind, ...words] = (sessionStorage.getItem(key) ?? "").split("\n");
  const text = words.join("\n");
  return text === "" ? NONE : { kind: kind === "question" || kind === "comment" ? kind : "change", text };
}

export function writeDraft(key: string, { kind, text }: NoteDraft): void {
  if (text === "") sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, `${kind}\n${text}`);
}
