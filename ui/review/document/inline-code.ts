/** A line of an agent or a person: everything in it visible, and what stands between backticks as code. */
import { html, type TemplateResult } from "lit";
import { visibly } from "../../text/visibly.ts";

const CODE = /`([^`\n]+)`/;

export function inlineCode(text: string): (string | TemplateResult)[] {
  if (!text.includes("`")) return [visibly(text)];
  return text.split(CODE).map((part, index) => (index % 2 === 1 ? html`<code>${visibly(part)}</code>` : visibly(part)));
}
