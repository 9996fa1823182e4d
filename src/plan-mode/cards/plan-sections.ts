/** A plan's text as a card carries it: its steps, and what it says besides them where the whole text is at hand. */
import type { CardSection, CardStep } from "../../protocol/card/card.ts";
import type { PlanBody, PlanStep } from "../protocol/plan.ts";
import type { PlanJob } from "../protocol/plan-job.ts";
import { planJobLine } from "../protocol/plan-job-line.ts";
import type { PlanSection } from "../protocol/review.ts";
import { localized } from "../texts/localized.ts";
import { cardText } from "./card-text.ts";

export function planSections(body: PlanBody): CardSection[] {
  const pairs = (body.risks ?? []).map(({ risk, mitigation }) => ({ text: risk, answer: mitigation }));
  return [
    ...written("summary", body.summary),
    ...written("analysis", body.analysis),
    ...listed("assumptions", body.assumptions),
    ...(pairs.length === 0 ? [] : [{ ...headed("risks"), pairs }]),
    ...listed("verification", body.verification),
    ...listed("references", body.references),
    ...jobSections(body.jobs),
  ];
}

/** The scheduled jobs that stay when the plan ends. */
export const jobSections = (jobs: readonly PlanJob[] = []): CardSection[] => listed("jobs", jobs.map(planJobLine));

const headed = (id: PlanSection): Pick<CardSection, "id" | "heading"> => ({
  id,
  heading: cardText(localized(`section_${id}`)),
});

const written = (id: PlanSection, text = ""): CardSection[] => (text.trim() === "" ? [] : [{ ...headed(id), text }]);

const listed = (id: PlanSection, items: string[] = []): CardSection[] =>
  items.length === 0 ? [] : [{ ...headed(id), items }];

export const cardSteps = (steps: readonly PlanStep[]): CardStep[] => steps.map(cardStep);

function cardStep({ step, status, activeForm, acceptanceCriteria = [], verifiedCriteria = [] }: PlanStep): CardStep {
  const verified = new Set(verifiedCriteria.map((criterion) => criterion.trim()));
  return {
    text: step,
    status,
    ...(activeForm === undefined ? {} : { activeForm }),
    criteria: acceptanceCriteria.map((text) => ({ text, verified: verified.has(text.trim()) })),
  };
}
