/** A plan for people to read: title, steps with their state and criteria, and what the agent says about it. */
import { isTerminal, type PlanBody, type PlanStep, type StepStatus } from "../../protocol/plan.ts";
import { block, type Format, inline } from "./format.ts";

/** Where a surface has little room, a plan is cut here, at whole steps. */
export const PLAN_CHARS_SHOWN = 3_500;

const NOTE_CHARS = 120; // room for the line that says what was cut

export type RenderOptions = { format: Format; charsMax?: number };

type Piece = { text: string; isStep: boolean };

export function renderPlan(body: PlanBody, { format, charsMax }: RenderOptions): string {
  const head = format === "plain" ? `Plan: ${inline(body.title, format)}` : `# ${inline(body.title, format)}`;
  const pieces = [...leading(body, format), ...stepPieces(body.plan, format), ...trailing(body, format)];
  if (charsMax === undefined) return [head, ...pieces.map((piece) => piece.text)].join("\n");
  return cut(head, pieces, charsMax);
}

/** Whole pieces only. A section that does not fit is left out; after a step that does not fit, no step follows. */
function cut(head: string, pieces: readonly Piece[], charsMax: number): string {
  const whole = [head, ...pieces.map((piece) => piece.text)].join("\n");
  if (whole.length <= charsMax) return whole;
  let out = head.slice(0, charsMax);
  let hidden = { steps: 0, sections: 0 };
  for (const { text, isStep } of pieces) {
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

const section = (text: string): Piece => ({ text, isStep: false });

function leading({ summary }: PlanBody, format: Format): Piece[] {
  return summary === undefined ? [] : [section(titled("Summary", block(summary, format), format))];
}

function stepPieces(steps: readonly PlanStep[], format: Format): Piece[] {
  const done = steps.filter(isTerminal).length;
  const title = section(titled(`Steps (${done}/${steps.length} done)`, "", format).trimEnd());
  return [title, ...steps.map((step, index) => ({ text: renderStep(step, index, format), isStep: true }))];
}

function trailing({ analysis, assumptions, risks, verification, references }: PlanBody, format: Format): Piece[] {
  const riskLines = risks?.map(({ risk, mitigation }) => `${risk} → ${mitigation}`);
  return [
    ...(analysis === undefined ? [] : [section(titled("Analysis", block(analysis, format), format))]),
    ...listSection("Assumptions", assumptions, format),
    ...listSection("Risks", riskLines, format),
    ...listSection("Verification", verification, format),
    ...listSection("References", references, format),
  ];
}

function listSection(title: string, items: readonly string[] | undefined, format: Format): Piece[] {
  if (items === undefined || items.length === 0) return [];
  const indent = format === "plain" ? "  " : "";
  return [section(titled(title, items.map((item) => `${indent}- ${inline(item, format)}`).join("\n"), format))];
}

const titled = (title: string, text: string, format: Format): string =>
  format === "plain" ? `\n${title}\n${text}` : `\n## ${title}\n\n${text}`;

const PLAIN_MARKS: Readonly<Record<StepStatus, string>> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  cancelled: "[-]",
};

function renderStep(step: PlanStep, index: number, format: Format): string {
  const criteria = step.acceptanceCriteria ?? [];
  const verified = new Set(step.verifiedCriteria?.map((criterion) => criterion.trim()));
  const lines = criteria.map((criterion) => criterionLine(criterion, verified.has(criterion.trim()), format));
  const head = format === "plain" ? plainStep(step, index) : markdownStep(step);
  return [head, ...lines].join("\n");
}

function plainStep({ step, status, activeForm }: PlanStep, index: number): string {
  const active = status === "in_progress" && activeForm !== undefined ? ` (${inline(activeForm, "plain")})` : "";
  return `  ${PLAIN_MARKS[status]} ${index + 1}. ${inline(step, "plain")}${active}`;
}

function markdownStep({ step, status }: PlanStep): string {
  const text = inline(step, "markdown");
  switch (status) {
    case "pending":
      return `- [ ] ${text}`;
    case "in_progress":
      return `- [ ] **${text}**`;
    case "completed":
      return `- [x] ${text}`;
    case "cancelled":
      return `- [x] ~~${text}~~ (cancelled)`;
  }
}

function criterionLine(criterion: string, isVerified: boolean, format: Format): string {
  const mark = isVerified ? "[x]" : "[ ]";
  return format === "plain"
    ? `        ${mark} ${inline(criterion, format)}`
    : `  - ${mark} ${inline(criterion, format)}`;
}
