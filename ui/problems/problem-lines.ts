/** A problem inside a paragraph: our text, and below it the gateway's own message, marked as English. */
import { html, nothing, type TemplateResult } from "lit";
import type { Problem } from "./problem-of.ts";

export const problemLines = ({ text, isEnglish, detail }: Problem): TemplateResult =>
  html`<span lang=${isEnglish ? "en" : nothing}>${text}</span>${
      detail === "" ? nothing : html`<br /><span class="small" lang="en">${detail}</span>`
    }`;
