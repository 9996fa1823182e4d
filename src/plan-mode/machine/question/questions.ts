/** Options of a question: their ids, and which of them an answer means. */
import { QuestionId } from "../../../protocol/ids.ts";
import type { z } from "zod";
import type { AskedOption } from "../../protocol/command.ts";
import type { PendingQuestion, QuestionOption } from "../../protocol/state.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { localized } from "../../texts/localized.ts";
import { isBlank } from "../../../plugins/sdk.ts";

const OPTIONS_MIN = 2;
const OPTIONS_MAX = 6;
const ID_CHARS_MAX = 64;
const LABEL_CHARS_MAX = 400;
const DESCRIPTION_CHARS_MAX = 1_000;

type Asked = z.infer<typeof AskedOption>;

/** Made of the tool call alone, so that replaying a transcript gives the same bytes. */
export function questionIdFor(asked: { callId: string; question: string }, sessionId: string): QuestionId {
  return QuestionId.parse(`qst_${stableHash([sessionId, asked.callId, asked.question].join("\0"))}`);
}

export function readOptions(asked: readonly Asked[], callId: string): { options: QuestionOption[] } | Refused {
  if (asked.length < OPTIONS_MIN || asked.length > OPTIONS_MAX) {
    return invalid(`options: give ${OPTIONS_MIN} to ${OPTIONS_MAX}, not ${asked.length}`);
  }
  const options = asked.map((option, index) => readOption(option, index, callId));
  const problem = options.map(optionProblem).find((found) => found !== undefined) ?? clash(options);
  return problem === undefined ? { options } : invalid(problem);
}

function readOption(asked: Asked, index: number, callId: string): QuestionOption {
  const { id, label, description } = typeof asked === "string" ? { label: asked } : asked;
  const shown = label.trim();
  const derived = `o${index + 1}-${stableHash([callId, shown].join("\0")).slice(0, 8)}`;
  return {
    id: id === undefined ? derived : id.trim(),
    label: shown,
    ...(description === undefined || isBlank(description) ? {} : { description: description.trim() }),
  };
}

function optionProblem({ id, label, description }: QuestionOption, index: number): string | undefined {
  const at = `options[${index}]`;
  if (isBlank(label)) return `${at}: the label is blank`;
  if (label.length > LABEL_CHARS_MAX) return `${at}: the label may hold ${LABEL_CHARS_MAX} characters`;
  if (isBlank(id) || id.length > ID_CHARS_MAX)
    return `${at}: the id needs 1 to ${ID_CHARS_MAX} characters, or leave it out`;
  if ((description?.length ?? 0) > DESCRIPTION_CHARS_MAX) {
    return `${at}: the description may hold ${DESCRIPTION_CHARS_MAX} characters`;
  }
  if (numberOf(id) !== undefined && numberOf(id) !== index + 1) {
    return `${at}: the id ${id} would be taken for option ${id}; use a word, or leave it out`;
  }
  return undefined;
}

/** No name may mean two options: neither two ids, nor two labels, nor the id of one and the label of another. */
function clash(options: readonly QuestionOption[]): string | undefined {
  const owners = new Map<string, number>();
  for (const [index, { id, label }] of options.entries()) {
    for (const name of [plainName(id), plainName(label)]) {
      const owner = owners.get(name);
      if (owner !== undefined && owner !== index) {
        return `options[${index}]: "${label}" is a duplicate of options[${owner}]; each needs a text and an id of its own`;
      }
      owners.set(name, index);
    }
  }
  return undefined;
}

/** By id, by number or by text; free text only where the question allows it. One that could mean two means none. */
export function matchAnswer(
  { options, allowFreetext }: Pick<PendingQuestion, "options" | "allowFreetext">,
  answer: string,
): { answer: string; optionId: string | null } | Refused {
  const said = answer.trim();
  if (isBlank(said)) return refuse("ANSWER_INVALID", localized("answerEmpty", { options: choices(options) }));
  const byId = options.find((option) => option.id === said);
  if (byId !== undefined) return { answer: byId.label, optionId: byId.id };
  const number = numberOf(said);
  const meant = options.filter((option, index) => number === index + 1 || plainName(option.label) === plainName(said));
  const [only] = meant;
  if (meant.length > 1) {
    return refuse("ANSWER_INVALID", localized("answerUnclear", { answer: said, options: choices(options) }));
  }
  if (only !== undefined) return { answer: only.label, optionId: only.id };
  if (allowFreetext) return { answer: said, optionId: null };
  return refuse("ANSWER_INVALID", localized("answerNone", { options: choices(options) }), {
    options: options.map((option) => option.id),
  });
}

const choices = (options: readonly QuestionOption[]): string =>
  options.map((option, index) => `${index + 1}) ${option.label} [${option.id}]`).join(" · ");

const numberOf = (text: string): number | undefined => (/^\d{1,3}$/.test(text) ? Number(text) : undefined);
const plainName = (text: string): string => text.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
const invalid = (problem: string): Refused => refuse("PLAN_INVALID", `${problem}. Correct the question and ask again.`);

/** FNV-1a, 64 bits: a name, not a secret. */
function stableHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
