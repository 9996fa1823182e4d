/** What a step declares besides its words: what it touches, and what proves its criteria. Claimed and proven are different. */
import { html, nothing, type TemplateResult } from "lit";
import type { PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import { proofLine, SCOPE_PARTS } from "../../../src/plan-mode/protocol/step/step-lines.ts";
import type { ProofStanding } from "../../../src/protocol/card/card.ts";
import { t } from "../../i18n/t.ts";
import type { PresentSteps } from "../../state/present-steps.ts";
import { visibly } from "../../text/visibly.ts";

export type ShownProof = { proof: string; standing: ProofStanding | undefined; seen: string | undefined };

type Present = ReturnType<PresentSteps["get"]>;

export function proofIn({ proof = [] }: PlanStep, criterion: string, present: Present): ShownProof | undefined {
  const one = proof.find((found) => found.criterion === criterion.trim());
  if (one === undefined) return undefined;
  const { standing, seen } = present?.proofs?.get(criterion) ?? {};
  return { proof: proofLine(one), standing, seen };
}

export const proofLineOf = ({ proof, standing, seen }: ShownProof): TemplateResult =>
  html`<div class="proof small quiet" data-skip>
    ${t("review.proof", { what: visibly(proof) })}
    ${standing === undefined ? nothing : html` · <b class="standing ${standing}">${t(`review.standing_${standing}`)}</b>`}
    ${seen === undefined ? nothing : html` · ${visibly(seen)}`}
  </div>`;

export function touchedBy({ scope }: PlanStep): TemplateResult | typeof nothing {
  if (scope === undefined) return nothing;
  const parts = SCOPE_PARTS.filter((part) => (scope[part] ?? []).length > 0);
  return html`<ul class="touched small quiet" aria-label=${t("review.touches")} data-skip>
    ${parts.map(
      (part) =>
        html`<li>
          ${t(`review.touches_${part}`)}: ${(scope[part] ?? []).map((entry) => html`<code>${visibly(entry)}</code> `)}
        </li>`,
    )}
  </ul>`;
}
