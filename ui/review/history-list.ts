/** What happened to a plan, newest first: who wrote which revision, who decided what, and with which words. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { PlanId } from "../../src/protocol/ids.ts";
import type { PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import type { PlanDecided } from "../../src/plan-mode/protocol/review.ts";
import { sayWhen } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { avatar } from "../parts/avatar.ts";
import { clock } from "../parts/clock.ts";
import { icon } from "../parts/icon.ts";
import type { ReadyReview } from "../state/plan-review.ts";
import { acceptedByRule, nameOf } from "../localized/name-of.ts";
import { visibly } from "../text/visibly.ts";
import { decisionWords } from "./decide/decision-words.ts";

export const historyLook = css`
  .history {
    display: grid;
    gap: var(--hp-3);
    max-inline-size: var(--hp-reading);
    margin-inline: auto;
  }

  .history > li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: var(--hp-2) var(--hp-3);
    align-items: center;
    padding-block-end: var(--hp-3);
    border-block-end: 1px solid var(--hp-line);
  }

  .history .said {
    grid-column: 2;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .history .what {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--hp-1) var(--hp-3);
  }
`;

type Item = { atMs: number; drawn: TemplateResult };

export function historyList({ revisions, decisions }: ReadyReview, onShow: (planId: PlanId) => void): TemplateResult {
  const items = [
    // first, so that of one commit the decision stands above what it decided on
    ...decisions.map((fact): Item => ({ atMs: fact.atMs, drawn: decided(fact) })),
    ...revisions.map((plan): Item => ({ atMs: plan.submittedAtMs, drawn: submitted(plan, onShow) })),
  ];
  return html`<ul class="history" aria-label=${t("review.tabHistory")}>
    ${items.toSorted((a, b) => b.atMs - a.atMs).map(({ drawn }) => drawn)}
  </ul>`;
}

function submitted(plan: PlanRevision, onShow: (planId: PlanId) => void): TemplateResult {
  const { revision, author, submittedAtMs, planId } = plan;
  const name = author === undefined ? t("review.byAgent") : visibly(author.name);
  const about = { name, revision, when: sayWhen(submittedAtMs, clock.get()) };
  return html`<li>
    ${author === undefined ? icon("agent", 28) : avatar(author.name)}
    <div class="what">
      <span class="grow"
        >${plan.basedOn === undefined ? t("review.submittedLine", about) : t("review.editedLine", about)}</span
      >
      <button class="button" @click=${() => onShow(planId)}>${t("review.showRevision", { revision })}</button>
    </div>
  </li>`;
}

function decided(fact: PlanDecided): TemplateResult {
  const { by, atMs, feedback = "", notes = "" } = fact;
  const about = {
    name: acceptedByRule(by) ?? nameOf(by),
    decision: decisionWords(fact),
    when: sayWhen(atMs, clock.get()),
  };
  return html`<li>
    ${by.kind === "policy" ? icon("settings", 28) : avatar(by.name)}
    <div class="what"><strong>${t("review.decidedLine", about)}</strong></div>
    ${feedback === "" ? nothing : html`<p class="said">${visibly(feedback)}</p>`}
    ${
      notes === ""
        ? nothing
        : html`<details class="said">
            <summary>${t("review.sentNotes")}</summary>
            ${visibly(notes)}
          </details>`
    }
  </li>`;
}
