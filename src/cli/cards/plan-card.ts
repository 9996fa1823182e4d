/**
 * What a person reads before they sign, in a frame that agent text cannot leave: the whole plan, nothing cut. In a chat a
 * plan that would fill several screens is folded, and says how to read the rest.
 */
import { availabilityOf } from "../../protocol/card/availability.ts";
import { type ApprovalCard, type CardSection, type CardStep, progressOf } from "../../protocol/card/card.ts";
import type { StepStatus } from "../../plan-mode/protocol/plan.ts";
import { numberMark } from "../../plan-mode/protocol/step/criterion-number.ts";
import { box, innerColumns, type Line } from "../text/box.ts";
import { duration } from "../text/duration.ts";
import { flow } from "../text/flow.ts";
import type { Look } from "../text/paint.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { clip } from "../text/width.ts";
import { hang, wrap } from "../text/wrap.ts";
import { actionLines } from "./action-lines.ts";
import { cardLabel, planLabel, stateWords, warningTexts } from "./card-label.ts";
import { STEP_MARKS, stepPaint } from "./marks.ts";
import type { Beholder } from "./who.ts";

/** A plan's text, whoever decides on it. */
export type PlanDocument = Pick<ApprovalCard, "title" | "steps" | "sections">;

/** More lines than this are more than anybody scrolls back. */
const WHOLE_LINES_MAX = 60;
/** Of a section, when it is folded. */
const SECTION_LINES_SHOWN = 3;

export function planCard(card: ApprovalCard, beholder: Beholder): string[] {
  const { look, nowMs, folds = false } = beholder;
  const { paint } = look;
  const columns = innerColumns(look);
  const whole = planText(card, look);
  const shown = folds && whole.length > WHOLE_LINES_MAX ? foldedText(card, look) : whole;
  const facts = [...warningTexts(card), ...signingLines(card), ...blockingLines(card, beholder)];
  const lines = [
    ...(card.plugin === undefined && card.job === undefined
      ? []
      : plain(wrap(sanitiseLine(card.heading.text), columns))),
    ...shown,
    BLANK,
    ...facts.flatMap((text) => plain(wrap(text, columns), paint.strong)),
    ...plain(wrap(expiry(card, nowMs), columns), paint.quiet),
  ];
  const label = cardLabel(card, planLabel(card.revision));
  const note = stateWords(card);
  const drawn = box({ label, note, lines, edge: paint.waiting }, look);
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
    ...sections.filter(isSummary).flatMap(({ text = "" }) => plain(flow(sanitise(text).trim(), columns))),
    ...(steps.length === 0 ? [] : [BLANK]),
    ...steps.flatMap((step, at) => stepBlock(step, { at, count: steps.length }, look)),
    ...sections.filter((section) => !isSummary(section)).flatMap((section) => sectionBlock(section, look)),
  ];
}

const BLANK: Line = { text: "" };

/** One line per step, the first lines of each section, and how to read the rest. */
function foldedText({ title, steps, sections = [] }: PlanDocument, look: Look): Line[] {
  const columns = innerColumns(look);
  const digits = String(steps.length).length;
  const hint = "This plan is long, so it is folded here: /plan view shows all of it, /plan view 3 its third step.";
  return [
    ...plain(wrap(sanitiseLine(title), columns), look.paint.strong),
    ...plain(wrap(hint, columns), look.paint.waiting),
    BLANK,
    ...steps.map(({ text, criteria }, at) => {
      const more = criteria.length === 0 ? "" : ` (${criteria.length} □)`;
      const number = `${String(at + 1).padStart(digits)}. `;
      return { text: `${number}${clip(sanitiseLine(text), columns - number.length - more.length)}${more}` };
    }),
    ...sections.flatMap((section) => foldedSection(section, look)),
  ];
}

function foldedSection(section: CardSection, look: Look): Line[] {
  const [blank = BLANK, heading = BLANK, ...body] = sectionBlock(section, look);
  const left = body.length - SECTION_LINES_SHOWN;
  if (left <= 1) return [blank, heading, ...body];
  const more = { text: `  … ${left} more lines`, paint: look.paint.quiet };
  return [blank, heading, ...body.slice(0, SECTION_LINES_SHOWN), more];
}

function stepBlock(step: CardStep, { at, count }: { at: number; count: number }, look: Look): Line[] {
  const number = `${String(at + 1).padStart(String(count).length)}. `;
  const columns = innerColumns(look);
  const indent = " ".repeat(number.length);
  const criteria = step.criteria.flatMap(({ text, verified, standing }, index) =>
    plain(
      hang(
        `${indent}${verified ? "☑" : "□"} ${numberMark(step.criteria, { step: at + 1, criterion: index + 1 })}`,
        sanitiseLine(standing === undefined ? text : `${text} (${standing})`),
        columns,
      ),
      look.paint.quiet,
    ),
  );
  const [first = "", ...rest] = sanitise(step.text).trim().split("\n");
  const more = rest.flatMap((line) => wrap(`${indent}│ ${line}`, columns)); // behind a bar none of them passes for a criterion
  return [...plain([...hang(number, first, columns), ...more]), ...criteria];
}

function sectionBlock({ heading, text = "", items = [], pairs = [] }: CardSection, look: Look): Line[] {
  const columns = innerColumns(look);
  return [
    BLANK,
    { text: sanitiseLine(heading.text), paint: look.paint.strong },
    ...(text === "" ? [] : plain(flow(indented(sanitise(text).trim()), columns))),
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

/** The steps of a plan under way, each whole. */
export function stepList(steps: readonly ListedStep[], look: Look): string[] {
  return steps.flatMap((step, at) => stepLine(step, { at, count: steps.length }, look));
}

/** More lines than this push what is being talked about off the screen. */
const FOLDED_LINES_MAX = 24;

/** The same in a conversation: one line for each where they are many, and those that are left for /plan view. */
export function foldedSteps(steps: readonly ListedStep[], look: Look): string[] {
  return folded(
    steps.map((step, at) => ({ step, at })),
    steps.length,
    look,
  );
}

/** The steps that look different now; a new plan shows all of them. */
export function changedSteps(before: readonly ListedStep[], after: readonly ListedStep[], look: Look): string[] {
  const known = new Map(before.map((step) => [step.text, step.status]));
  const isSame = before.length === after.length && after.every((step) => known.has(step.text));
  if (!isSame) return foldedSteps(after, look);
  const changed = after.map((step, at) => ({ step, at })).filter(({ step }) => known.get(step.text) !== step.status);
  return folded(changed, after.length, look);
}

function folded(steps: readonly { step: ListedStep; at: number }[], count: number, look: Look): string[] {
  const whole = steps.flatMap(({ step, at }) => stepLine(step, { at, count }, look));
  if (whole.length <= FOLDED_LINES_MAX) return whole;
  const isClosed = ({ step }: { step: ListedStep }): boolean => CLOSED.has(step.status);
  const shown = steps.length <= FOLDED_LINES_MAX ? steps : steps.filter((one) => !isClosed(one));
  const lines = shown.slice(0, FOLDED_LINES_MAX).flatMap(({ step, at }) => {
    return stepLine(step, { at, count, isCut: true }, look);
  });
  const left = steps.length - lines.length;
  if (left === 0) return lines;
  return [...lines, look.paint.quiet(clip(`  … ${left} more: /plan view shows all of them`, look.columns))];
}

const CLOSED: ReadonlySet<StepStatus> = new Set(["completed", "cancelled"]);

type Shown = { at: number; count: number; isCut?: boolean };

function stepLine(step: ListedStep, { at, count, isCut = false }: Shown, look: Look): string[] {
  const text = step.status === "in_progress" ? (step.activeForm ?? step.text) : step.text;
  const mark = `  ${STEP_MARKS[step.status]} ${String(at + 1).padStart(String(count).length)}/${count} `;
  const stroke = stepPaint(step.status, look.paint);
  const lines = isCut
    ? [clip(`${mark}${sanitiseLine(text)}`, look.columns)]
    : hang(mark, sanitiseLine(text), look.columns);
  return stroke === undefined ? lines : lines.map(stroke);
}

/** "2/4", counted as the gateway counts: a cancelled step is done with. */
export function progress(steps: readonly { status: StepStatus }[]): string {
  const { done, cancelled, all } = progressOf(steps);
  return `${done}/${all}${cancelled === 0 ? "" : `, ${cancelled} cancelled`}`;
}
