/** What a step says: its text, the calls of it that failed, its criteria with what proves them, and what it touches. */
import { html, nothing, type TemplateResult } from "lit";
import type { PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import { numberMark } from "../../../src/plan-mode/protocol/step/criterion-number.ts";
import { t } from "../../i18n/t.ts";
import { type CallLink, proofLines } from "../../proof/proof-lines.ts";
import type { PresentSteps } from "../../state/present-steps.ts";
import { lineOrBlock } from "../../text/inline-text.ts";
import { proofIn, touchedBy } from "./shown-proof.ts";

export type StepStanding = {
  /** Of the step, from 1. */
  number: number;
  /** As it is carried out; undefined while nothing was begun. */
  present: ReturnType<PresentSteps["get"]>;
  /** How many calls of it failed. */
  failedCount: number;
  /** The step in the view that shows the plan being carried out. */
  run: CallLink;
  call(callId: string): CallLink;
};

export function stepWords(given: PlanStep, standing: StepStanding): TemplateResult {
  const { step } = given;
  return html`<div class="text">${lineOrBlock(step)}</div>
    ${failedCalls(standing)} ${stepCriteria(given, standing)} ${touchedBy(given)}`;
}

type CriteriaStanding = Pick<StepStanding, "number" | "present"> & Partial<Pick<StepStanding, "call">>;

/** The criteria of a step, with what proves each and what was seen of it. */
export function stepCriteria(given: PlanStep, standing: CriteriaStanding): TemplateResult | typeof nothing {
  const { acceptanceCriteria = [] } = given;
  if (acceptanceCriteria.length === 0) return nothing;
  return html`<ul class="criteria" aria-label=${t("review.criteria")}>
    ${acceptanceCriteria.map((_, at) => criterionWords(given, at, standing))}
  </ul>`;
}

function criterionWords(
  given: PlanStep,
  at: number,
  { number: step, present, call }: CriteriaStanding,
): TemplateResult {
  const criterion = given.acceptanceCriteria?.[at] ?? "";
  const number = shownNumber(numberMark([given], { step, criterion: at + 1 }));
  const proof = proofIn(given, criterion, present);
  const proven = proof === undefined ? nothing : proofLines(proof, call);
  const standing = proof?.seen?.standing ?? ""; // said in words below, and seen at once by its mark
  if (present?.verified.has(criterion) !== true)
    return html`<li class=${standing} dir="auto">${number}${lineOrBlock(criterion)}${proven}</li>`;
  const why = html`<span class="unseen" data-skip> (${t("review.claimed")})</span>`;
  return html`<li class="claimed ${standing}" dir="auto" title=${t("review.claimed")}>
    ${number}${lineOrBlock(criterion)}${why}${proven}
  </li>`;
}

/** By it a criterion is confirmed or waived wherever commands are typed; no part of what the agent wrote. */
const shownNumber = (number: string): TemplateResult | typeof nothing =>
  number === "" ? nothing : html`<span class="quiet" data-skip>${number}</span>`;

function failedCalls({ failedCount, run: { href, onGo } }: StepStanding): TemplateResult | typeof nothing {
  if (failedCount === 0) return nothing;
  return html`<a class="chip bad" data-skip href=${href} @click=${onGo}
    >${t("proof.failedCalls", { count: failedCount })}</a
  >`;
}
