/** Any card in text: what it is about, how it stands, and what to type. */
import {
  type ApprovalCard,
  type Card,
  type CardAction,
  type CardOption,
  type CardSection,
  type GrantCard,
  isWaiting,
  type QuestionCard,
} from "../../protocol/card/card.ts";
import type { PlanBody } from "../protocol/plan.ts";
import { numberMark } from "../protocol/step/criterion-number.ts";
import { STEP_MARKS } from "../protocol/step/step-marks.ts";
import { asIs, lines, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { never, revealHidden } from "../../plugins/sdk.ts";
import { ALLOW_ONCE } from "../machine/grant/give-grant.ts";
import { DENY } from "../machine/question/decide.ts";
import { AMEND } from "../machine/scope/amend.ts";
import { CRITIC_SECTION } from "../cards/plan-sections.ts";
import { block, type Format, inline } from "./format.ts";
import { planWords } from "./render-plan.ts";

/** In plain text, with what the words of the house in it mean; `body` is the whole plan, where it is at hand. */
export function cardWords(card: Card, body?: PlanBody): LocalizedText {
  const { warnings = [] } = card;
  return lines([wordsOf(card, body), ...warnings.map(localizedTextOf)]);
}

function wordsOf(card: Card, body: PlanBody | undefined): LocalizedText {
  switch (card.kind) {
    case "approval":
      return approvalWords(card, body);
    case "question":
    case "grant":
      return isWaiting(card) ? askingWords(card) : lines([inline(card.title, "plain"), statusWords(card)]);
    case "notice":
      return lines([localizedTextOf(card.heading), statusWords(card), ...card.actions.flatMap(typed)]);
    default:
      return never(card);
  }
}

const localizedTextOf = ({ text, said = [] }: Card["status"]): LocalizedText => ({ text, said });
const statusWords = ({ status }: Card): LocalizedText => localizedTextOf(status);

function approvalWords(card: ApprovalCard, body: PlanBody | undefined): LocalizedText {
  const { planId, revision, digest, title } = card;
  const isKnown = planId !== undefined && revision !== undefined && digest !== undefined;
  return lines([
    ...(card.job === undefined ? [] : [localizedTextOf(card.heading)]),
    body === undefined
      ? lines([localized("planTitle", { title: inline(title, "plain") }), ...stepLines(card)])
      : planWords(body),
    "",
    ...(isKnown ? [localized("planIs", { planId, revision, digest })] : []),
    ...(card.sections ?? []).filter(({ id }) => id === CRITIC_SECTION).map(sectionWords),
    statusWords(card),
    ...card.actions.flatMap(typed),
  ]);
}

/** Of the sections the one that is no part of the plan's own text, which stands above. */
const sectionWords = ({ heading, items = [] }: CardSection): LocalizedText =>
  lines([localizedTextOf(heading), ...items.map((item) => asIs(`  - ${inline(item, "plain")}`))]);

const stepLines = ({ steps }: ApprovalCard): string[] =>
  steps.flatMap(({ text, status, criteria }, at) => [
    `  ${STEP_MARKS[status]} ${at + 1}. ${inline(text, "plain")}`,
    ...criteria.map((one, index) => {
      const number = numberMark(criteria, { step: at + 1, criterion: index + 1 });
      const words = `${inline(one.text, "plain")}${inline(proofWords(one), "plain")}`;
      return `        ${one.verified ? "[x]" : "[ ]"} ${number}${words}`;
    }),
  ]);

function proofWords({ proof, standing, seen }: ApprovalCard["steps"][number]["criteria"][number]): string {
  if (proof === undefined) return "";
  const found = standing === undefined ? "" : ` — ${standing}${seen === undefined ? "" : `: ${seen}`}`;
  return ` (${proof}${found})`;
}

/** `/plan accept — Accept`: what can be typed, beside what it is called. */
function typed({ command, label }: CardAction): LocalizedText[] {
  if (command === undefined) return [];
  const what = localizedTextOf(label);
  return [localized("commandLine", { command: inline(command, "plain"), what })];
}

type Asking = QuestionCard | GrantCard;

function askingWords(card: Asking): LocalizedText {
  const asked =
    card.kind === "grant" ? callWords(card) : renderQuestion(card, { format: "plain" }).split("\n").slice(1, -1);
  return lines([localized("question"), ...asked, howTo(card)]);
}

/** A question of the agent: what is asked, the options by number, and how to answer. */
export function renderQuestion(card: QuestionCard, { format }: { format: Format }): string {
  const title = format === "plain" ? "Question" : "**Question**";
  const gap = format === "plain" ? [] : [""];
  const how = howTo(card).text;
  return [
    title,
    ...gap,
    block(card.question, format),
    ...gap,
    ...card.options.map((option, index) => optionLine(option, index, format)),
    ...gap,
    format === "plain" ? how : `\`${how}\``,
  ].join("\n");
}

function optionLine({ label, description }: CardOption, index: number, format: Format): string {
  const more = description === undefined ? "" : ` — ${inline(description, format)}`;
  return format === "plain"
    ? `  ${index + 1}) ${inline(label, format)}${more}`
    : `${index + 1}. ${inline(label, format)}${more}`;
}

const howTo = (card: Asking): LocalizedText =>
  localized(card.kind === "question" && card.freeText ? "answerFreely" : "answerWith");

/** The gateway's own question: the exact call is indented, between words of the house. */
function callWords({ call, why, actions }: GrantCard): (string | LocalizedText)[] {
  const { tool, folder, shown } = call;
  return [
    localized("callWanted", { tool, folder }),
    ...revealHidden(shown)
      .split("\n")
      .map((line) => asIs(`      ${line}`.trimEnd())),
    localizedTextOf(why),
    ...choicesOf(actions),
  ];
}

/** Numbered as the machine counts the options. */
function choicesOf(actions: readonly CardAction[]): LocalizedText[] {
  if (!actions.some(({ id }) => id === AMEND))
    return [localized("callAsked"), localized("callAllow"), localized("callDeny")];
  const choices = actions.filter(({ id }) => CHOICES.has(id));
  const options = choices.map(({ label, hint = label }, index) =>
    localized("callOption", { n: index + 1, label: localizedTextOf(label), hint: localizedTextOf(hint) }),
  );
  return [localized("callAskedAmend"), ...options];
}

const CHOICES: ReadonlySet<string> = new Set([AMEND, ALLOW_ONCE, DENY]);
