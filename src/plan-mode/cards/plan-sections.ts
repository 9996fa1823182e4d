/** A plan's text as a card carries it: its steps, and what it says besides them where the whole text is at hand. */
import type { CardSection, CardStep } from "../../protocol/card/card.ts";
import type { PlanBody, PlanStep } from "../protocol/plan.ts";
import type { PlanJob } from "../protocol/plan-job.ts";
import { planJobLine } from "../protocol/plan-job-line.ts";
import type { PlanSection } from "../protocol/review.ts";
import type { StepScope } from "../protocol/step/scope.ts";
import { proofLine, SCOPE_PARTS } from "../protocol/step/step-lines.ts";
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

export const cardSteps = (steps: readonly PlanStep[]): CardStep[] => {
  const numbers = new Map(steps.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index + 1] as const])));
  return steps.map((step) => cardStep(step, numbers));
};

function cardStep(given: PlanStep, numbers: ReadonlyMap<string, number>): CardStep {
  const { step, status, activeForm, acceptanceCriteria = [], verifiedCriteria = [] } = given;
  const { dependsOn = [], scope, proof = [] } = given;
  const verified = new Set(verifiedCriteria.map((criterion) => criterion.trim()));
  const proofs = new Map(proof.map((one) => [one.criterion, proofLine(one)]));
  const after = dependsOn.flatMap((id) => numbers.get(id) ?? []);
  return {
    text: step,
    status,
    ...(activeForm === undefined ? {} : { activeForm }),
    criteria: acceptanceCriteria.map((text) => {
      const by = proofs.get(text.trim());
      return { text, verified: verified.has(text.trim()), ...(by === undefined ? {} : { proof: by }) };
    }),
    ...(after.length === 0 ? {} : { after }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Everything that the plan declares, in one place before the signature; `isLimit`: nothing else is unlocked. */
export function scopeSections(scopes: readonly StepScope[], isLimit: boolean): CardSection[] {
  const sections = SCOPE_PARTS.flatMap((part): CardSection[] => {
    const items = [...new Set(scopes.flatMap((scope) => scope[part] ?? []))];
    const heading = cardText(localized(isLimit ? `scope_only_${part}` : `scope_${part}`));
    return items.length === 0 ? [] : [{ id: `scope_${part}`, heading, items: items.slice(0, SECTION_ITEMS_MAX) }];
  });
  if (!isLimit || sections.length > 0) return sections;
  return [{ id: "scope", heading: cardText(localized("scope_nothing")) }];
}

/** As many as a card takes; the steps hold them all. */
const SECTION_ITEMS_MAX = 200;
