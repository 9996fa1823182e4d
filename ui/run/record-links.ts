/** The two views of the audit: row by row, and in figures. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { App } from "../app/app.ts";
import { t } from "../i18n/t.ts";

export const recordLinks = (app: App, here: "audit" | "charts"): TemplateResult => html`
  <nav class="record" aria-label=${t("app.audit")}>
    <a href=${app.router.href("audit", {})} aria-current=${here === "audit" ? "page" : nothing}>${t("run.record")}</a>
    <a href=${app.router.href("charts", {})} aria-current=${here === "charts" ? "page" : nothing}>${t("app.charts")}</a>
  </nav>
`;

/** One column that scrolls, with the links at its head. */
export const recordLinkStyles = css`
  :host {
    position: relative;
    overflow: auto;
    padding: var(--hp-4);
  }

  .column {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-4);
    max-inline-size: calc(var(--hp-reading) + 8rem);
    margin-inline: auto;
  }

  .record {
    display: flex;
    gap: var(--hp-1);
    border-block-end: 1px solid var(--hp-line);
  }

  .record a {
    display: flex;
    align-items: center;
    min-block-size: var(--hp-target);
    padding: 0 var(--hp-3);
    border-block-end: 2px solid transparent;
    color: var(--hp-quiet);
    font-weight: 550;
    text-decoration: none;
  }

  .record a[aria-current] {
    border-color: var(--hp-accent);
    color: var(--hp-text);
  }
`;
