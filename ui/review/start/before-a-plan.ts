/** What a review shows before there is a plan: how one may begin, and those that were mirrored to the workspace. */
import { html, nothing, type TemplateResult } from "lit";
import type { PlanModeState } from "../../../src/plan-mode/protocol/state.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { App } from "../../app/app.ts";
import { t } from "../../i18n/t.ts";
import { draftIn } from "../status-line.ts";
import "./plan-start.ts";
import "./work-units.ts";

export type Beginning = { app: App; sessionId: SessionId; plan: PlanModeState | undefined };

/** While a plan is made, its kind and what it begins with can be chosen. */
export function planStart({ app, sessionId, plan }: Beginning): TemplateResult | typeof nothing {
  const draft = draftIn(plan);
  if (draft === undefined) return nothing;
  return html`<hp-plan-start .app=${app} .sessionId=${sessionId} .draft=${draft}></hp-plan-start>`;
}

export const noPlan = (beginning: Beginning): TemplateResult =>
  html`${planStart(beginning)}
    <p class="empty">${t("review.none")}</p>
    <hp-work-units .app=${beginning.app} .sessionId=${beginning.sessionId}></hp-work-units>`;
