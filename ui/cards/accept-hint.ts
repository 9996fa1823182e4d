/** What the two ways of accepting differ in; a line to read, for a tooltip is nothing on a phone. */
import { html, type TemplateResult } from "lit";
import { t } from "../i18n/t.ts";

/** Buttons refer to it as `accept-hint`. */
export const acceptHint = (): TemplateResult =>
  html`<p class="small quiet" id="accept-hint">
    ${t("cards.acceptHint", { accept: t("cards.accept"), edits: t("cards.acceptEdits") })}
  </p>`;
