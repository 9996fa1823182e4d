/** Which skill's template begins a draft, and with which of its steps. */
import type { PlanStep } from "../../protocol/plan.ts";
import type { Archetype } from "../../protocol/template/archetype.ts";
import type { SkillTemplate } from "../../protocol/template/skill-template.ts";

/** What people read in the log; the agent never sees it. */
export type TemplateReport = {
  /** Skills that have a template too and come later in the alphabet. */
  rejected: string[];
  /** Texts of steps that stood there before. */
  duplicates: string[];
  /** How many steps were cut off. */
  truncated: number;
  maxSteps: number;
};
export type ChosenTemplate = { skill: string; steps: PlanStep[]; report: TemplateReport };

export type TemplateRules = {
  maxSteps: number;
  /** Only skills of this kind, where one was chosen. */
  archetype?: Archetype | undefined;
  /** Only this one. */
  skill?: string | undefined;
};

/** The alphabetically first skill wins; of two steps with one text the first counts; what is too long loses its end. */
export function chooseTemplate(
  templates: readonly SkillTemplate[],
  { maxSteps, archetype, skill }: TemplateRules,
): ChosenTemplate | undefined {
  const fitting = templates
    .filter((template) => template.steps.length > 0)
    .filter((template) => skill === undefined || template.skill === skill)
    .filter((template) => skill !== undefined || archetype === undefined || template.archetype === archetype)
    .toSorted((a, b) => (a.skill < b.skill ? -1 : a.skill > b.skill ? 1 : 0));
  const [winner, ...others] = fitting;
  if (winner === undefined) return undefined;
  const seen = new Set<string>();
  const duplicates: string[] = [];
  const unique = winner.steps.filter(({ step }) => {
    if (seen.has(step)) duplicates.push(step);
    return !seen.has(step) && seen.add(step);
  });
  const report = {
    rejected: others.map((template) => template.skill),
    duplicates,
    truncated: Math.max(0, unique.length - maxSteps),
    maxSteps,
  };
  return { skill: winner.skill, steps: unique.slice(0, maxSteps).map(asPending), report };
}

/** A template says what is to be done; nothing of it is done. */
const asPending = (step: SkillTemplate["steps"][number]): PlanStep => ({ ...step, status: "pending" });
