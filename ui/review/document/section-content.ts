/** What stands in one section of a plan: Markdown, a list, or risks with what is done about them. */
import { html, type TemplateResult } from "lit";
import { planJobLine } from "../../../src/plan-mode/protocol/job/plan-job-line.ts";
import type { PlanBody } from "../../../src/plan-mode/protocol/plan.ts";
import type { PlanSection } from "../../../src/plan-mode/protocol/review.ts";
import { t } from "../../i18n/t.ts";
import { lineOrBlock } from "../../text/inline-text.ts";
import "../../text/rich-text.ts";

export function sectionContent(body: PlanBody, name: PlanSection): TemplateResult {
  if (name === "summary" || name === "analysis") return html`<hp-rich-text .text=${body[name] ?? ""}></hp-rich-text>`;
  if (name !== "risks") {
    const items = name === "jobs" ? body.jobs?.map(planJobLine) : body[name];
    return html`<ul class="items">
      ${(items ?? []).map((item) => html`<li dir="auto">${lineOrBlock(item)}</li>`)}
    </ul>`;
  }
  return html`<ul class="risks">
    ${(body.risks ?? []).map(
      ({ risk, mitigation }) =>
        html`<li>
          <div class="text">${lineOrBlock(risk)}</div>
          <div class="text mitigation"><b data-skip>${t("review.mitigation")}: </b>${lineOrBlock(mitigation)}</div>
        </li>`,
    )}
  </ul>`;
}
