/** What a step declares besides its words: what it touches, and what proves its criteria. Claimed and proven are different. */
import { html, nothing, type TemplateResult } from "lit";
import type { PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import { SCOPE_PARTS } from "../../../src/plan-mode/protocol/step/step-lines.ts";
import { t } from "../../i18n/t.ts";
import type { ShownProof } from "../../proof/proof-lines.ts";
import type { PresentSteps } from "../../state/present-steps.ts";
import { visibly } from "../../text/visibly.ts";

type Present = ReturnType<PresentSteps["get"]>;

export function proofIn({ proof = [] }: PlanStep, criterion: string, present: Present): ShownProof | undefined {
  const one = proof.find((found) => found.criterion === criterion.trim());
  return one === undefined ? undefined : { proof: one, seen: present?.proofs?.get(one.criterion) };
}

export function touchedBy({ scope }: PlanStep): TemplateResult | typeof nothing {
  if (scope === undefined) return nothing;
  const parts = SCOPE_PARTS.filter((part) => (scope[part] ?? []).length > 0);
  return html`<ul class="touched small quiet" aria-label=${t("review.touches")} data-skip>
    ${parts.map(
      (part) =>
        html`<li>
          ${t(`review.touches_${part}`)}:
          ${(scope[part] ?? []).map((entry) => html`<code class="entry">${visibly(entry)}</code> `)}
        </li>`,
    )}
  </ul>`;
}
