/** The status of a plan in a line: phase, revision, author, time, digest, and how long there is to decide. */
import { html, nothing, type TemplateResult } from "lit";
import type { PlanId } from "../../src/protocol/ids.ts";
import {
  type ApprovalCard,
  type CardDeadline,
  isWaiting,
  shortDigest,
  shownDeadline,
} from "../../src/protocol/card/card.ts";
import type { PhaseOf, PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import type { PlanDecided } from "../../src/plan-mode/protocol/review.ts";
import { lastAboutPlan } from "../../src/plan-mode/protocol/step/step-decisions.ts";
import { personName } from "../cards/card-text.ts";
import { sayDate, sayWhen } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { acceptedByRule } from "../localized/name-of.ts";
import { sayProgress } from "../chat/say-progress.ts";
import { clock } from "../parts/clock.ts";
import "../parts/countdown.ts";
import type { Operator } from "../state/connection.ts";
import type { PresentSteps } from "../state/present-steps.ts";
import type { ReadyReview } from "../state/plan-review.ts";
import { visibly } from "../text/visibly.ts";
import { decisionWords } from "./decide/decision-words.ts";

type Shown = Pick<ReadyReview, "revisions" | "shown">;
type Standing = {
  plan: PlanModeState | undefined;
  card: ApprovalCard | undefined;
  /** How the steps of the shown revision stand. */
  present: PresentSteps;
  operator: Operator | undefined;
};

const TONES = { pending: "waiting", executing: "accent", rejected: "bad", timed_out: "bad", off: "", exploring: "" };

const authorOf = ({ author }: PlanRevision): string =>
  author === undefined ? t("review.byAgent") : visibly(author.name);

/** Where the session has moved on, the outcome of the plan is shown instead. */
function phaseChip(review: ReadyReview, { plan, operator }: Standing): TemplateResult {
  const phase = plan?.now.phase ?? "off";
  const decided = lastAboutPlan(review.decisions, review.shown.planId);
  if (plan?.now.phase === "off" && plan.now.left === "completed" && isLatest(review) && decided !== undefined)
    return html`<span class="chip good">${t("review.phase_done")}</span>
      <span>${decidedLine(decided, operator)}</span>`;
  if (phase !== "off" || decided === undefined)
    return html`<span class="chip ${TONES[phase]}">${t(`review.phase_${phase}`)}</span> ${ruleChip(plan)}`;
  const isNo = decided.decision === "rejected" || decided.decision === "timed_out";
  return html`<span class="chip ${isNo ? "bad" : "good"}">${decidedLine(decided, operator)}</span>`;
}

function ruleChip(plan: Standing["plan"]): TemplateResult | typeof nothing {
  const byRule = plan?.now.phase === "executing" ? acceptedByRule(plan.now.decidedBy) : undefined;
  return byRule === undefined ? nothing : html`<span class="chip waiting">${byRule}</span>`;
}

const isLatest = ({ shown, revisions }: Shown): boolean => shown === revisions.at(-1);

const decidedLine = (fact: PlanDecided, operator: Operator | undefined): string =>
  t("review.decidedLine", {
    name: acceptedByRule(fact.by) ?? personName(fact.by, operator),
    decision: decisionWords(fact),
    when: sayWhen(fact.atMs, clock.get()),
  });

export function statusLine(review: ReadyReview, standing: Standing): TemplateResult {
  const { shown, revisions } = review;
  const { card, present } = standing;
  const when = sayWhen(shown.submittedAtMs, clock.get());
  return html`<div class="status">
    ${phaseChip(review, standing)}
    ${present.size === 0 ? nothing : html`<span>${sayProgress([...present.values()])}</span>`}
    <span>${t("review.revisionOf", { revision: shown.revision, count: revisions.length })}</span>
    <span title=${sayDate(shown.submittedAtMs)}>${t("review.submitted", { name: authorOf(shown), when })}</span>
    <span title=${t("review.digestHint", { digest: shown.digest })}>
      ${t("review.digest", { digest: shortDigest(shown.digest) })}
    </span>
    ${card?.deadline !== undefined && isWaiting(card) ? timeLeft(card.deadline, standing.operator) : nothing}
  </div>`;
}

function timeLeft(deadline: CardDeadline, operator: Operator | undefined): TemplateResult {
  const { untilMs, paused } = shownDeadline(deadline, clock.get());
  const { readBy } = deadline;
  return html`<span>
    ${t("review.deadline")}
    <hp-countdown .untilMs=${untilMs} ?paused=${paused}></hp-countdown>${
      paused && readBy !== undefined
        ? html` ·
          ${readBy.id === operator?.id ? t("cards.readingYou") : t("review.paused", { name: visibly(readBy.name) })}`
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

/** The draft of a session that is planning and has submitted nothing. */
export const draftIn = (plan: PlanModeState | undefined): PhaseOf<"exploring"> | undefined =>
  plan?.now.phase === "exploring" ? plan.now : undefined;
