/** What a person reads before they sign: the whole plan, nothing cut, in a frame that agent text cannot leave. */
import { type PlanBody, type PlanStep, isTerminal } from "../../plan-mode/protocol/plan.ts";
import type { Needs, Signature } from "../../plan-mode/protocol/approvals.ts";
import { box, innerColumns, type Line } from "../text/box.ts";
import { duration } from "../text/duration.ts";
import type { Look } from "../text/paint.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { width } from "../text/width.ts";
import { hang, wrap } from "../text/wrap.ts";
import { STEP_MARKS, stepPaint } from "./marks.ts";

export type PlanCard = {
  body: PlanBody;
  revision: number;
  deadlineAtMs: number;
  nowMs: number;
  /** Where more than one must sign, or only some may. */
  needs?: Needs | undefined;
  signatures?: readonly Signature[] | undefined;
};

export function planCard(card: PlanCard, look: Look): string[] {
  const { paint } = look;
  const columns = innerColumns(look);
  const left = card.deadlineAtMs - card.nowMs;
  const expiry = left > 0 ? `Expires in ${duration(left)}. Waiting approves nothing.` : "It has expired.";
  const signing = signingLines(card).flatMap((text) => plain(wrap(text, columns), paint.strong));
  const lines = [...planText(card.body, look), BLANK, ...signing, ...plain(wrap(expiry, columns), paint.quiet)];
  const label = labelOf(card.revision);
  return [...box({ label, note: "waiting for you", lines, edge: paint.waiting }, look), ...helpLines(look)];
}

function signingLines({ needs, signatures = [] }: PlanCard): string[] {
  if (needs === undefined) return [];
  const signed = signatures.length === 0 ? "nobody yet" : signatures.map(({ by }) => sanitiseLine(by.name)).join(", ");
  const missing = needs.missing.length === 0 ? "" : ` May still sign: ${needs.missing.map(sanitiseLine).join(", ")}.`;
  return [`Signed by ${signed}: ${signatures.length} of ${needs.quorum}.${missing}`];
}

/** A revision that waits for nobody, whole, for whoever looks it up. */
export function pastPlan({ body, revision, note }: { body: PlanBody; revision: number; note: string }, look: Look) {
  return box({ label: labelOf(revision), note, lines: planText(body, look), edge: look.paint.quiet }, look);
}

const labelOf = (revision: number): string => (revision === 1 ? "Plan" : `Plan · revision ${revision}`);

function planText(body: PlanBody, look: Look): Line[] {
  const columns = innerColumns(look);
  return [
    ...plain(wrap(sanitiseLine(body.title), columns), look.paint.strong),
    ...optional(body.summary, (summary) => plain(wrap(sanitise(summary).trim(), columns))),
    BLANK,
    ...body.plan.flatMap((step, at) => stepBlock(step, { at, count: body.plan.length }, look)),
    ...sections(body, look),
  ];
}

const BLANK: Line = { text: "" };

function helpLines({ columns, paint }: Look): string[] {
  const choices = ["/plan accept", "/plan accept edits", "/plan revise <what to change>"];
  const inline = `  ${choices.join(" · ")}`;
  const lines = width(inline) <= columns ? [inline] : choices.map((choice) => `  ${choice}`);
  return lines.map(paint.waiting);
}

function stepBlock(step: PlanStep, { at, count }: { at: number; count: number }, look: Look): Line[] {
  const number = `${String(at + 1).padStart(String(count).length)}. `;
  const columns = innerColumns(look);
  const indent = " ".repeat(number.length);
  const criteria = (step.acceptanceCriteria ?? []).flatMap((criterion) =>
    plain(hang(`${indent}□ `, sanitiseLine(criterion), columns), look.paint.quiet),
  );
  return [...plain(hang(number, sanitiseLine(step.step), columns)), ...criteria];
}

function sections(body: PlanBody, look: Look): Line[] {
  const columns = innerColumns(look);
  const listed = (items: readonly string[] | undefined) =>
    (items ?? []).flatMap((item) => plain(hang("  – ", sanitiseLine(item), columns)));
  const risks = (body.risks ?? []).flatMap(({ risk, mitigation }) => [
    ...plain(hang("  ! ", sanitiseLine(risk), columns), look.paint.waiting),
    ...plain(hang("    → ", sanitiseLine(mitigation), columns)),
  ]);
  const analysis =
    (body.analysis ?? "") === "" ? [] : plain(wrap(indented(sanitise(body.analysis ?? "").trim()), columns));
  return [
    ...section("Analysis", analysis, look),
    ...section("Assumptions", listed(body.assumptions), look),
    ...section("Risks", risks, look),
    ...section("Verification", listed(body.verification), look),
    ...section("References", listed(body.references), look),
  ];
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

function section(heading: string, lines: Line[], look: Look): Line[] {
  return lines.length === 0 ? [] : [BLANK, { text: heading, paint: look.paint.strong }, ...lines];
}

const optional = (text: string | undefined, lines: (text: string) => Line[]): Line[] =>
  text === undefined || text.trim() === "" ? [] : lines(text);

const plain = (texts: readonly string[], paint?: (text: string) => string): Line[] =>
  texts.map((text) => (paint === undefined ? { text } : { text, paint }));

/** The steps of a plan under way, one line each where it fits. */
export function stepList(steps: readonly PlanStep[], look: Look): string[] {
  return steps.flatMap((step, at) => stepLine(step, { at, count: steps.length }, look));
}

/** The steps that look different now; a new plan shows all of them. */
export function changedSteps(before: readonly PlanStep[], after: readonly PlanStep[], look: Look): string[] {
  const known = new Map(before.map((step) => [step.step, step.status]));
  const isSame = before.length === after.length && after.every((step) => known.has(step.step));
  if (!isSame) return stepList(after, look);
  return after.flatMap((step, at) =>
    known.get(step.step) === step.status ? [] : stepLine(step, { at, count: after.length }, look),
  );
}

function stepLine(step: PlanStep, { at, count }: { at: number; count: number }, look: Look): string[] {
  const text = step.status === "in_progress" ? (step.activeForm ?? step.step) : step.step;
  const mark = `  ${STEP_MARKS[step.status]} ${String(at + 1).padStart(String(count).length)}/${count} `;
  const stroke = stepPaint(step.status, look.paint);
  const lines = hang(mark, sanitiseLine(text), look.columns);
  return stroke === undefined ? lines : lines.map(stroke);
}

/** "2/4", counted as the gateway counts: a cancelled step is done with. */
export const progress = (steps: readonly PlanStep[]): string => `${steps.filter(isTerminal).length}/${steps.length}`;
