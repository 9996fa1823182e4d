/** What a person reads before they sign: the whole plan, nothing cut, in a frame that agent text cannot leave. */
import { availabilityOf } from "../../protocol/card/availability.ts";
import type { ApprovalCard, CardSection, CardStep } from "../../protocol/card/card.ts";
import type { StepStatus } from "../../plan-mode/protocol/plan.ts";
import { box, innerColumns, type Line } from "../text/box.ts";
import { duration } from "../text/duration.ts";
import type { Look } from "../text/paint.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { hang, wrap } from "../text/wrap.ts";
import { actionLines } from "./action-lines.ts";
import { cardLabel, planLabel, warningTexts } from "./card-label.ts";
import { STEP_MARKS, stepPaint } from "./marks.ts";
import type { Beholder } from "./who.ts";

/** A plan's text, whoever decides on it. */
export type PlanDocument = Pick<ApprovalCard, "title" | "steps" | "sections">;

export function planCard(card: ApprovalCard, beholder: Beholder): string[] {
  const { look, nowMs } = beholder;
  const { paint } = look;
  const columns = innerColumns(look);
  const facts = [...warningTexts(card), ...signingLines(card), ...blockingLines(card, beholder)];
  const lines = [
    ...(card.plugin === undefined && card.job === undefined
      ? []
      : plain(wrap(sanitiseLine(card.heading.text), columns))),
    ...planText(card, look),
    BLANK,
    ...facts.flatMap((text) => plain(wrap(text, columns), paint.strong)),
    ...plain(wrap(expiry(card, nowMs), columns), paint.quiet),
  ];
  const label = cardLabel(card, planLabel(card.revision));
  const drawn = box({ label, note: "waiting for you", lines, edge: paint.waiting }, look);
  return [...drawn, ...actionLines(card, look)];
}

function expiry({ deadline }: ApprovalCard, nowMs: number): string {
  if (deadline === undefined) return "Waiting approves nothing.";
  const left = deadline.atMs - nowMs;
  return left > 0 ? `Expires in ${duration(left)}. Waiting approves nothing.` : "It has expired.";
}

function signingLines({ signing }: ApprovalCard): string[] {
  if (signing === undefined) return [];
  const { signatures, quorum, missing } = signing;
  const signed = signatures.length === 0 ? "nobody yet" : signatures.map(({ by }) => sanitiseLine(by.name)).join(", ");
  const rest = missing.length === 0 ? "" : ` May still sign: ${missing.map(sanitiseLine).join(", ")}.`;
  return [`Signed by ${signed}: ${signatures.length} of ${quorum}.${rest}`];
}

/** Why the person at this terminal cannot say yes now. That the time is up is said anyway. */
function blockingLines(card: ApprovalCard, { person, nowMs }: Beholder): string[] {
  const yes = card.actions.filter(({ tone }) => tone === "yes");
  const answers = yes.map((action) => availabilityOf(card, action, { person, nowMs }));
  const reasons = answers.flatMap((answer) => (answer.allowed ? [] : [answer.why]));
  if (reasons.length < yes.length) return [];
  const texts = reasons.filter(({ code }) => code !== "APPROVAL_EXPIRED").map(({ text }) => sanitiseLine(text.text));
  return [...new Set(texts)];
}

/** A revision that waits for nobody, whole, for whoever looks it up. */
export function pastPlan(
  { document, label, note }: { document: PlanDocument; label: string; note: string },
  look: Look,
): string[] {
  return box({ label, note, lines: planText(document, look), edge: look.paint.quiet }, look);
}

const isSummary = ({ id }: CardSection): boolean => id === "summary";

/** The summary stands under the title; everything else behind the steps. */
function planText({ title, steps, sections = [] }: PlanDocument, look: Look): Line[] {
  const columns = innerColumns(look);
  return [
    ...plain(wrap(sanitiseLine(title), columns), look.paint.strong),
    ...sections.filter(isSummary).flatMap(({ text = "" }) => plain(wrap(sanitise(text).trim(), columns))),
    ...(steps.length === 0 ? [] : [BLANK]),
    ...steps.flatMap((step, at) => stepBlock(step, { at, count: steps.length }, look)),
    ...sections.filter((section) => !isSummary(section)).flatMap((section) => sectionBlock(section, look)),
  ];
}

const BLANK: Line = { text: "" };

function stepBlock(step: CardStep, { at, count }: { at: number; count: number }, look: Look): Line[] {
  const number = `${String(at + 1).padStart(String(count).length)}. `;
  const columns = innerColumns(look);
  const indent = " ".repeat(number.length);
  const criteria = step.criteria.flatMap(({ text, verified, standing }) =>
    plain(
      hang(
        `${indent}${verified ? "☑" : "□"} `,
        sanitiseLine(standing === undefined ? text : `${text} (${standing})`),
        columns,
      ),
      look.paint.quiet,
    ),
  );
  return [...plain(hang(number, sanitiseLine(step.text), columns)), ...criteria];
}

function sectionBlock({ heading, text = "", items = [], pairs = [] }: CardSection, look: Look): Line[] {
  const columns = innerColumns(look);
  return [
    BLANK,
    { text: sanitiseLine(heading.text), paint: look.paint.strong },
    ...(text === "" ? [] : plain(wrap(indented(sanitise(text).trim()), columns))),
    ...items.flatMap((item) => plain(hang("  – ", sanitiseLine(item), columns))),
    ...pairs.flatMap((pair) => [
      ...plain(hang("  ! ", sanitiseLine(pair.text), columns), look.paint.waiting),
      ...plain(hang("    → ", sanitiseLine(pair.answer), columns)),
    ]),
  ];
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

const plain = (texts: readonly string[], paint?: (text: string) => string): Line[] =>
  texts.map((text) => (paint === undefined ? { text } : { text, paint }));

type ListedStep = Pick<CardStep, "text" | "status" | "activeForm">;

/** The steps of a plan under way, one line each where it fits. */
export function stepList(steps: readonly ListedStep[], look: Look): string[] {
  return steps.flatMap((step, at) => stepLine(step, { at, count: steps.length }, look));
}

/** The steps that look different now; a new plan shows all of them. */
export function changedSteps(before: readonly ListedStep[], after: readonly ListedStep[], look: Look): string[] {
  const known = new Map(before.map((step) => [step.text, step.status]));
  const isSame = before.length === after.length && after.every((step) => known.has(step.text));
  if (!isSame) return stepList(after, look);
  return after.flatMap((step, at) =>
    known.get(step.text) === step.status ? [] : stepLine(step, { at, count: after.length }, look),
  );
}

function stepLine(step: ListedStep, { at, count }: { at: number; count: number }, look: Look): string[] {
  const text = step.status === "in_progress" ? (step.activeForm ?? step.text) : step.text;
  const mark = `  ${STEP_MARKS[step.status]} ${String(at + 1).padStart(String(count).length)}/${count} `;
  const stroke = stepPaint(step.status, look.paint);
  const lines = hang(mark, sanitiseLine(text), look.columns);
  return stroke === undefined ? lines : lines.map(stroke);
}

/** "2/4", counted as the gateway counts: a cancelled step is done with. */
export const progress = (steps: readonly { status: StepStatus }[]): string =>
  `${steps.filter(({ status }) => status === "completed" || status === "cancelled").length}/${steps.length}`;
