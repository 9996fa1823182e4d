import { html, nothing, type TemplateResult } from "lit";
import type { Problem } from "./problem-of.ts";

/** For a paragraph: our text, and beneath it the gateway's own words, marked as English. */
export const problemLines = ({ text, isEnglish, detail }: Problem): TemplateResult =>
  html`<span lang=${isEnglish ? "en" : nothing}>${text}</span>${
      detail === "" ? nothing : html`<br /><span class="small" lang="en">${detail}</span>`
    }`;
