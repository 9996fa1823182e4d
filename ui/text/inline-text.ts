/** A line of an agent or a person: everything in it visible, and the Markdown inside of it drawn. */
import { html, type TemplateResult } from "lit";
import { type InlineSpan, inlineSpans } from "../../src/protocol/text/inline-markdown.ts";
import "./rich-text.ts";
import { visibly } from "./visibly.ts";

type Drawn = string | TemplateResult;

export const inlineText = (text: string): Drawn[] => inlineSpans(text).map(drawnSpan);

/** Steps may hold whole blocks, such as a fenced command: those are read as a text of their own. */
export const lineOrBlock = (text: string): Drawn | Drawn[] =>
  text.includes("\n") ? html`<hp-rich-text .text=${text}></hp-rich-text>` : inlineText(text);

export function drawnSpan(span: InlineSpan): Drawn {
  switch (span.kind) {
    case "text":
      return visibly(span.text);
    case "code":
      return html`<code>${visibly(span.text)}</code>`;
    case "strong":
      return html`<strong>${span.spans.map(drawnSpan)}</strong>`;
    case "em":
      return html`<em>${span.spans.map(drawnSpan)}</em>`;
    case "del":
      return html`<del>${span.spans.map(drawnSpan)}</del>`;
    case "link":
      return html`<a href=${span.href} target="_blank" rel="noopener noreferrer nofollow"
        >${span.spans.map(drawnSpan)}</a
      >`;
  }
}
