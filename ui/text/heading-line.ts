/** Paths where they are shown large: they break after a slash, not inside of a word. */
import { html, type TemplateResult } from "lit";
import { inlineSpans } from "../../src/protocol/text/inline-markdown.ts";
import { drawnSpan, lineOrBlock } from "./inline-text.ts";
import { visibly } from "./visibly.ts";

/** A path or an address, which may break after each of its slashes. */
export const breakable = (text: string): TemplateResult =>
  html`${visibly(text)
    .split(/(?<=\/)(?=[^/])/)
    .map((part, at) => (at === 0 ? part : html`<wbr />${part}`))}`;

/** The text of a step as a heading. */
export const headingLine = (text: string): unknown =>
  text.includes("\n")
    ? lineOrBlock(text)
    : inlineSpans(text).map((span) => {
        if (span.kind === "code") return html`<code>${breakable(span.text)}</code>`;
        return span.kind === "text" ? breakable(span.text) : drawnSpan(span);
      });
