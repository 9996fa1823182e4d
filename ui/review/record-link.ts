/** The way from a plan to its record: who approved this revision, what it changed, what proves it, and how it is undone. */
import { html, type TemplateResult } from "lit";
import type { PlanId } from "../../src/protocol/ids.ts";
import type { App } from "../app/app.ts";
import { t } from "../i18n/t.ts";
import { icon } from "../parts/icon.ts";

export const recordLink = (app: App, planId: PlanId): TemplateResult =>
  html`<a
    class="button bare square"
    href=${app.router.href("record", { planId })}
    aria-label=${t("review.record")}
    title=${t("review.record")}
    >${icon("record", 16)}</a
  >`;
