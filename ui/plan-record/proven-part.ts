/** How each step stands, and what was seen of what it had to fulfil: proofs, a person's word, waivers. Never a claim alone. */
import { html, nothing, type TemplateResult } from "lit";
import { headLine } from "../../src/protocol/text/inline-markdown.ts";
import { t } from "../i18n/t.ts";
import { sayProgress } from "../chat/say-progress.ts";
import { icon } from "../parts/icon.ts";
import { stepCriteria } from "../review/document/step-words.ts";
import { presentSteps } from "../state/present-steps.ts";
import { headingLine } from "../text/heading-line.ts";
import type { PlanRecord } from "./read-record.ts";

export function provenPart({ progress }: Pick<PlanRecord, "progress">): TemplateResult {
  if (progress === null) return html`<p>${t("record.notProven")}</p>`;
  const present = presentSteps({ progress });
  const { steps } = progress;
  return html`<p><strong>${sayProgress(steps)}</strong></p>
    ${steps.some(({ proof = [] }) => proof.length > 0) ? nothing : html`<p class="small warning">${t("record.claimedOnly")}</p>`}
    <ol class="steps">
      ${steps.map((given, index) => {
        const { step, status } = given;
        const number = index + 1;
        return html`<li class="step">
          <span class="number ${status}">
            <span class="unseen">${t("review.stepNumber", { number })}, ${t(`review.status_${status}`)}. </span>
            <span aria-hidden="true">${status === "completed" ? icon("check", 14) : number}</span>
          </span>
          <div class="text">${headingLine(step.includes("\n") ? headLine(step) : step)}</div>
          ${stepCriteria(given, { number, present: present.get(step) })}
        </li>`;
      })}
    </ol>`;
}
