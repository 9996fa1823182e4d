/** Above a plan: ways to look at it, its revisions, and taking it out of here. */
import { html, nothing, type TemplateResult } from "lit";
import type { PlanId, SessionId } from "../../src/protocol/ids.ts";
import type { App } from "../app/app.ts";
import { t } from "../i18n/t.ts";
import { recordLink } from "./record-link.ts";
import { reviewIcon } from "./review-icon.ts";
import "../parts/menu.ts";
import type { Tab } from "../parts/tabs.ts";
import "../parts/tabs.ts";
import { isOnline } from "../state/connection.ts";
import type { ReadyReview } from "../state/plan-review.ts";
import { exportItems } from "./out/export-plan.ts";
import { switcher } from "./status-line.ts";

export type Toolbar = Pick<ReadyReview, "revisions" | "shown"> & {
  app: App;
  sessionId: SessionId;
  look: string;
  isCompact: boolean;
  onLook(wanted: string): void;
  onShow(planId: PlanId): void;
  onExport(format: string): void;
  onShare(): void;
};

export function reviewToolbar(bar: Toolbar): TemplateResult {
  const { revisions, shown, look, isCompact } = bar;
  const tabs: Tab[] = [
    { id: "plan", label: t("review.tabPlan") },
    ...(revisions.length > 1 ? [{ id: "changes", label: t("review.tabChanges") }] : []),
    { id: "history", label: t("review.tabHistory") },
  ];
  return html`<div class="toolbar">
    <hp-tabs
      label=${t("review.views")}
      .tabs=${tabs}
      selected=${look}
      @hp-select=${({ detail }: CustomEvent<string>) => bar.onLook(detail)}
    ></hp-tabs>
    ${
      isCompact
        ? html`<div class="beside">${recordLink(bar.app, shown.planId)} ${openFull(bar)}</div>`
        : html`<div class="beside">
            ${revisions.length < 2 ? nothing : switcher({ revisions, shown }, bar.onShow)}
            ${recordLink(bar.app, shown.planId)} ${takeOut(bar)}
          </div>`
    }
  </div>`;
}

const openFull = ({ app, sessionId }: Toolbar): TemplateResult =>
  html`<a
    class="button bare square"
    href=${app.router.href("plan", { sessionId })}
    aria-label=${t("review.openFull")}
    title=${t("review.openFull")}
    >${reviewIcon("expand")}</a
  >`;

const takeOut = ({ app, onExport, onShare }: Toolbar): TemplateResult =>
  html`<hp-menu
      label=${t("review.export")}
      look="bare"
      .items=${exportItems()}
      ?disabled=${!isOnline(app.state.connection.get())}
      @hp-choose=${({ detail }: CustomEvent<string>) => onExport(detail)}
      >${reviewIcon("download")}<span class="word">${t("review.export")}</span></hp-menu
    >
    <button class="button bare" @click=${onShare}>
      ${reviewIcon("share")}<span class="word">${t("review.share")}</span>
    </button>`;
