/** The text of a revision as it was submitted, to read in place: its parts and its steps, without what came of them. */
import { html, nothing, type TemplateResult } from "lit";
import type { PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import type { PlanSection } from "../../src/plan-mode/protocol/review.ts";
import { t } from "../i18n/t.ts";
import { SECTIONS_AFTER, SECTIONS_BEFORE, writtenIn } from "../review/notes/places.ts";
import { sectionContent } from "../review/document/section-content.ts";
import { touchedBy } from "../review/document/shown-proof.ts";
import { stepCriteria } from "../review/document/step-words.ts";
import { lineOrBlock } from "../text/inline-text.ts";

export function signedText({ body }: PlanRevision): TemplateResult {
  const section = (name: PlanSection): TemplateResult | typeof nothing =>
    writtenIn(body, name) === undefined
      ? nothing
      : html`<h3>${t(`review.section_${name}`)}</h3>
          ${sectionContent(body, name)}`;
  return html`<div class="signed">
    ${SECTIONS_BEFORE.map(section)}
    <h3>${t("review.section_steps")}</h3>
    <ol class="steps">
      ${body.plan.map(
        (step, index) =>
          html`<li class="step">
            <span class="number" aria-hidden="true">${index + 1}</span>
            <div class="text">${lineOrBlock(step.step)}</div>
            ${stepCriteria(step, { number: index + 1, present: undefined })} ${touchedBy(step)}
          </li>`,
      )}
    </ol>
    ${SECTIONS_AFTER.map(section)}
  </div>`;
}
