/** A plan for people to read: title, steps with their state and criteria, and what the agent says about it. */
import { progressOf } from "../../protocol/card/card.ts";
import type { PlanBody, PlanStep } from "../protocol/plan.ts";
import { planJobLine } from "../protocol/job/plan-job-line.ts";
import { numberMark } from "../protocol/step/criterion-number.ts";
import { evidenceFor, type Seen, standingOf } from "../protocol/step/proof-standing.ts";
import { declaredLines, evidenceLine } from "../protocol/step/step-lines.ts";
import { STEP_MARKS } from "../protocol/step/step-marks.ts";
import { archetypeName } from "./archetype-name.ts";
import { behind, block, type Format, inline } from "./format.ts";
import { asIs, lines, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";

/** Where a surface has little room, a plan is cut here, at whole steps. */
export const PLAN_CHARS_SHOWN = 3_500;

const NOTE_CHARS = 120; // room for the line that says what was cut

export type RenderOptions = { format: Format; charsMax?: number };

type Piece = { words: LocalizedText; isStep: boolean };

export function renderPlan(body: PlanBody, { format, charsMax }: RenderOptions): string {
  if (format === "plain" && charsMax === undefined) return planWords(body).text;
  const head = format === "plain" ? planHead(body).text : `# ${inline(body.title, format)}`;
  const pieces = piecesOf(body, format);
  if (charsMax === undefined) return [head, ...pieces.map(({ words }) => words.text)].join("\n");
  return cut(head, pieces, charsMax);
}

/** `seen`: what was seen of its criteria, once it is carried out. */
type PlanLook = { head?: LocalizedText; seen?: Seen | undefined };

/** In plain text, with what its headings mean. */
export const planWords = (body: PlanBody, { head = planHead(body), seen }: PlanLook = {}): LocalizedText =>
  lines([head, ...piecesOf(body, "plain", seen).map(({ words }) => words)]);

/** One step with its criteria; `index` counts from 0. */
export const stepWords = (step: PlanStep, index: number, seen?: Seen): LocalizedText =>
  asIs(renderStep(step, index, { format: "plain", seen }));

const planHead = ({ title }: PlanBody): LocalizedText => localized("planTitle", { title: inline(title, "plain") });

/** A document tells why before what; where there is little room, what is decided on comes first. */
function piecesOf(body: PlanBody, format: Format, seen?: Seen): Piece[] {
  const [steps, analysis] = [stepPieces(body.plan, { format, seen }), analysisOf(body, format)];
  const middle = format === "markdown" ? [...analysis, ...steps] : [...steps, ...analysis];
  return [...leading(body, format), ...middle, ...trailing(body, format)];
}

const analysisOf = ({ analysis }: PlanBody, format: Format): Piece[] =>
  analysis === undefined ? [] : [section(titled(localized("section_analysis"), block(analysis, format), format))];

/** Whole pieces only. A section that does not fit is left out; after a step that does not fit, no step follows. */
function cut(head: string, pieces: readonly Piece[], charsMax: number): string {
  const whole = [head, ...pieces.map(({ words }) => words.text)].join("\n");
  if (whole.length <= charsMax) return whole;
  let out = head.slice(0, charsMax);
  let hidden = { steps: 0, sections: 0 };
  for (const {
    words: { text },
    isStep,
  } of pieces) {
    const fits = out.length + 1 + text.length <= charsMax - NOTE_CHARS && !(isStep && hidden.steps > 0);
    if (fits) out = `${out}\n${text}`;
    else hidden = isStep ? { ...hidden, steps: hidden.steps + 1 } : { ...hidden, sections: hidden.sections + 1 };
  }
  return `${out}\n${cutNote(hidden)}`;
}

function cutNote({ steps, sections }: { steps: number; sections: number }): string {
  const parts = [
    ...(steps > 0 ? [`${steps} more ${steps === 1 ? "step" : "steps"}`] : []),
    ...(sections > 0 ? [`${sections} more ${sections === 1 ? "section" : "sections"}`] : []),
  ];
  return `… ${parts.join(" and ")} not shown here: read the whole plan before you decide.`;
}

const section = (words: LocalizedText): Piece => ({ words, isStep: false });

function leading({ summary, archetype }: PlanBody, format: Format): Piece[] {
  return [
    ...(archetype === undefined ? [] : [section(localized("planKind", { kind: archetypeName(archetype) }))]),
    ...(summary === undefined ? [] : [section(titled(localized("section_summary"), block(summary, format), format))]),
  ];
}

/** With the counts that every surface shows. */
export function stepsTitle(steps: readonly PlanStep[]): LocalizedText {
  const { done, cancelled: dropped, all: total } = progressOf(steps);
  return dropped === 0
    ? localized("planSteps", { done, total })
    : localized("planStepsDropped", { done, dropped, total });
}

type StepLook = { format: Format; seen?: Seen | undefined };

function stepPieces(steps: readonly PlanStep[], look: StepLook): Piece[] {
  const title = section(titled(stepsTitle(steps), "", look.format));
  return [title, ...steps.map((step, index) => ({ words: asIs(renderStep(step, index, look)), isStep: true }))];
}

function trailing({ assumptions, risks, verification, references, jobs }: PlanBody, format: Format): Piece[] {
  const riskLines = risks?.map(({ risk, mitigation }) => `${risk} → ${mitigation}`);
  return [
    ...listSection(localized("section_assumptions"), assumptions, format),
    ...listSection(localized("section_risks"), riskLines, format),
    ...listSection(localized("section_verification"), verification, format),
    ...listSection(localized("section_references"), references, format),
    ...listSection(localized("section_jobs"), jobs?.map(planJobLine), format),
  ];
}

function listSection(title: LocalizedText, items: readonly string[] | undefined, format: Format): Piece[] {
  if (items === undefined || items.length === 0) return [];
  const indent = format === "plain" ? "  " : "";
  return [section(titled(title, items.map((item) => `${indent}- ${inline(item, format)}`).join("\n"), format))];
}

function titled(title: LocalizedText, text: string, format: Format): LocalizedText {
  if (format === "plain") return lines(["", title, ...(text === "" ? [] : [text])]);
  return asIs(`\n## ${title.text}\n\n${text}`.trimEnd());
}

function renderStep(step: PlanStep, index: number, { format, seen }: StepLook): string {
  const criteria = step.acceptanceCriteria ?? [];
  const verified = new Set(step.verifiedCriteria?.map((criterion) => criterion.trim()));
  const checks = criteria.flatMap((criterion, at) => [
    criterionLine({ criterion, number: numberOf(step, index, at), isVerified: verified.has(criterion.trim()) }, format),
    ...seenLines(step, criterion, { format, seen }),
  ]);
  const head = format === "plain" ? plainStep(step, index) : markdownStep(step);
  const declared = declaredLines(step).map((line) => declaredLine(line, format));
  return [head, ...checks, ...declared].join("\n");
}

function plainStep({ step, status, activeForm }: PlanStep, index: number): string {
  const active = status === "in_progress" && activeForm !== undefined ? ` (${inline(activeForm, "plain")})` : "";
  return `${behind(`  ${STEP_MARKS[status]} ${index + 1}. `, step)}${active}`;
}

function markdownStep({ step, status, activeForm }: PlanStep): string {
  const text = inline(step, "markdown");
  switch (status) {
    case "pending":
      return `- [ ] ${text}`;
    case "in_progress":
      return `- [ ] **${activeForm === undefined ? text : inline(activeForm, "markdown")}** (in progress)`;
    case "completed":
      return `- [x] ${text}`;
    case "cancelled":
      return `- [ ] ~~${text}~~ (cancelled)`; // a tick would say that it was done
  }
}

const declaredLine = (line: string, format: Format): string =>
  format === "plain" ? `          ${inline(line, format)}` : `  - ${inline(line, format)}`;

type ShownCriterion = { criterion: string; number: string; isVerified: boolean };

function criterionLine({ criterion, number, isVerified }: ShownCriterion, format: Format): string {
  const mark = isVerified ? "[x]" : "[ ]";
  return format === "plain"
    ? `        ${mark} ${number}${inline(criterion, format)}`
    : `  - ${mark} ${inline(criterion, format)}`;
}

const numberOf = ({ proof }: PlanStep, index: number, at: number): string =>
  numberMark([{ proof }], { step: index + 1, criterion: at + 1 });

/** What was seen of a criterion, or that a person confirmed or waived it. */
function seenLines({ step }: PlanStep, criterion: string, { format, seen }: StepLook): string[] {
  const found = seen === undefined ? undefined : evidenceFor(seen, step, criterion);
  if (seen === undefined || found === undefined) return [];
  const isOld = standingOf(seen, step, criterion) === "outdated";
  return [declaredLine(`${evidenceLine(found)}${isOld ? "; something was changed since" : ""}`, format)];
}
