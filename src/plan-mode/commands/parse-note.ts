/** `/plan note <where> <text>`: where is plan, a section's name, or a step's number, with the words meant in quotes. */
import type { Refused } from "../../protocol/refusal.ts";
import { refuse } from "../protocol/refuse.ts";
import { lines, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { NOTE_CHARS_MAX, type NoteKind, type NoteTarget, PlanSection, QUOTE_CHARS_MAX } from "../protocol/review.ts";
import { STEPS_MAX } from "../protocol/plan.ts";
import { isBlank } from "../../plugins/sdk.ts";

export type TypedNote = { kind: NoteKind; anchor: NoteTarget; text: string };

const WHERE = /^(\S+)\s*([\s\S]*)$/;
const QUOTED = /^(?:"([^"]+)"|“([^”]+)”)\s+([\s\S]*)$/;
const KIND = /^(change|question|comment):\s*([\s\S]*)$/i;
const STEP = /^(?:step[:#-]?)?(\d{1,4})$/i;

export function parseNote(typed: string): TypedNote | Refused {
  const [, where = "", rest = ""] = WHERE.exec(typed.trim()) ?? [];
  const target = targetOf(where);
  if (target === undefined) {
    return usage(where === "" ? localized("sayWhere") : localized("noPlace", { where: where.slice(0, 40) }));
  }
  const { exact, said } = splitQuote(rest);
  const { kind, text } = splitKind(said);
  if (isBlank(text)) return usage(localized("sayWords"));
  if (text.length > NOTE_CHARS_MAX) return refuse("COMMAND_USAGE", localized("charsMax", { max: NOTE_CHARS_MAX }));
  const anchor = withQuote(target, exact);
  return "refused" in anchor ? anchor : { kind, anchor, text: text.trim() };
}

function splitQuote(rest: string): { exact?: string; said: string } {
  const [, straight, curly, behind = ""] = QUOTED.exec(rest) ?? [];
  const exact = straight ?? curly;
  return exact === undefined ? { said: rest } : { exact, said: behind };
}

function splitKind(said: string): { kind: NoteKind; text: string } {
  const [, word, text = said] = KIND.exec(said) ?? [];
  return { kind: kindOf(word ?? "change"), text };
}

function targetOf(where: string): NoteTarget | undefined {
  const word = where.toLowerCase();
  if (word === "plan") return { on: "plan" };
  const section = PlanSection.safeParse(word);
  if (section.success) return { on: "section", section: section.data };
  const step = Number(STEP.exec(word)?.[1] ?? 0);
  return step >= 1 && step <= STEPS_MAX ? { on: "step", step } : undefined;
}

function withQuote(target: NoteTarget, exact: string | undefined): NoteTarget | Refused {
  if (exact === undefined) return target;
  if (target.on === "plan") return usage(localized("quoteNothing"));
  if (exact.length > QUOTE_CHARS_MAX)
    return refuse("COMMAND_USAGE", localized("quoteCharsMax", { max: QUOTE_CHARS_MAX }));
  return { ...target, quote: { exact } };
}

function kindOf(word: string): NoteKind {
  const kind = word.toLowerCase();
  return kind === "question" || kind === "comment" ? kind : "change";
}

const usage = (problem: LocalizedText): Refused =>
  refuse("COMMAND_USAGE", lines([problem, localized("usage"), localized("usageNote")]));
