/** The status of a plan in a line: phase, revision, author, time, digest, and how long there is to decide. */
import { html, nothing, type TemplateResult } from "lit";
import type { PlanId } from "../../src/protocol/ids.ts";
import type { PhaseOf, PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import { doneIn, shortDigest, shownDeadline } from "../cards/card-of.ts";
import { personName } from "../cards/decision-card.ts";
import { sayDate, sayWhen } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import "../parts/countdown.ts";
import type { Operator } from "../state/connection.ts";
import type { ReadyReview } from "../state/plan-review.ts";
import { visibly } from "../text/visibly.ts";

type Shown = Pick<ReadyReview, "revisions" | "shown">;
type Standing = { plan: PlanModeState | undefined; operator: Operator | undefined };

const TONES = { pending: "waiting", executing: "accent", rejected: "bad", timed_out: "bad", off: "", exploring: "" };

const authorOf = ({ author }: PlanRevision): string =>
  author === undefined ? t("review.byAgent") : visibly(author.name);

/** Where the session has moved on, the outcome of the plan is shown instead. */
function phaseChip(review: ReadyReview, { plan, operator }: Standing): TemplateResult {
  const phase = plan?.now.phase ?? "off";
  const decided = review.decisions.findLast(({ planId }) => planId === review.shown.planId);
  if (phase !== "off" || decided === undefined) {
    return html`<span class="chip ${TONES[phase]}">${t(`review.phase_${phase}`)}</span>`;
  }
  const { decision, by, atMs } = decided;
  const about = {
    name: personName(by, operator),
    decision: t(`review.decision_${decision}`),
    when: sayWhen(atMs, clock.get()),
  };
  const isNo = decision === "rejected" || decision === "timed_out";
  return html`<span class="chip ${isNo ? "bad" : "good"}">${t("review.decidedLine", about)}</span>`;
}

export function statusLine(review: ReadyReview, standing: Standing): TemplateResult {
  const { shown, revisions } = review;
  const now = standing.plan?.now;
  const when = sayWhen(shown.submittedAtMs, clock.get());
  return html`<div class="status">
    ${phaseChip(review, standing)}
    ${
      now?.phase === "executing"
        ? html`<span>${t("review.progress", { done: doneIn(now.steps), count: now.steps.length })}</span>`
        : nothing
    }
    <span>${t("review.revisionOf", { revision: shown.revision, count: revisions.length })}</span>
    <span title=${sayDate(shown.submittedAtMs)}>${t("review.submitted", { name: authorOf(shown), when })}</span>
    <span title=${t("review.digestHint", { digest: shown.digest })}>
      ${t("review.digest", { digest: shortDigest(shown.digest) })}
    </span>
    ${now?.phase === "pending" ? deadline(now, standing.operator) : nothing}
  </div>`;
}

function deadline({ submission, reading }: PhaseOf<"pending">, operator: Operator | undefined): TemplateResult {
  const { deadlineAtMs } = submission;
  const { untilMs, paused } = shownDeadline({ deadlineAtMs, reading }, clock.get());
  return html`<span>
    ${t("review.deadline")}
    <hp-countdown .untilMs=${untilMs} ?paused=${paused}></hp-countdown>${
      paused && reading !== undefined
        ? html`,
          ${
            reading.by.id === operator?.id
              ? t("cards.readingYou")
              : t("review.paused", { name: visibly(reading.by.name) })
          }`
        : nothing
    }
  </span>`;
}

/** Which revision is looked at. */
export function switcher({ revisions, shown }: Shown, onShow: (planId: PlanId) => void): TemplateResult {
  const choose = ({ target }: Event): void => {
    const found = revisions.find(({ planId }) => target instanceof HTMLSelectElement && planId === target.value);
    if (found !== undefined) onShow(found.planId);
  };
  return html`<label class="row small">
    <span class="unseen">${t("review.revision")}</span>
    <select class="input" .value=${shown.planId} @change=${choose}>
      ${revisions.map(
        (plan) =>
          html`<option value=${plan.planId} ?selected=${plan === shown}>
            ${t("review.revisionBy", {
              revision: plan.revision,
              name: authorOf(plan),
              when: sayWhen(plan.submittedAtMs, clock.get()),
            })}
          </option>`,
      )}
    </select>
  </label>`;
}
