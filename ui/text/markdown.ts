/**
 * Markdown of agents as safe HTML. The heavy parts are loaded when Markdown is first shown, see rich-text.ts.
 * Two nets: no raw HTML leaves the Markdown reader, and what does leave it passes the sanitiser.
 */
import DOMPurify, { type Config } from "dompurify";
import { Marked } from "marked";
import { visibly } from "./visibly.ts";

/** What a text may consist of: no images (they would report that somebody reads), no forms, no styles, no ids. */
const POLICY = {
  ALLOWED_TAGS: [
    "p",
    "br",
    "hr",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "strong",
    "em",
    "del",
    "code",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "a",
  ],
  ALLOWED_ATTR: ["href", "title", "align", "start"],
  ADD_URI_SAFE_ATTR: ["title", "align", "start"],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true,
} satisfies Config;

const reader = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    // raw HTML is shown as the text that it is
    html: ({ text }) => escaped(text),
    // a read-only checkbox becomes a sign
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    // a picture becomes a link to it: a person decides whether to load anything
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text === "" ? href : text)}</a>`,
  },
});

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer nofollow");
});

/** Puts a text into an element, in place of what it held. The one place of the page that writes HTML. */
export function showMarkdown(place: Element, markdown: string): void {
  const safe: unknown = DOMPurify.sanitize(reader.parse(visibly(markdown), { async: false }), POLICY);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TrustedHTML, made by the sanitiser; the document's types do not know it yet
  place.innerHTML = safe as string;
  // what scrolls must be reachable by keyboard
  for (const wide of place.querySelectorAll<HTMLElement>("pre, table")) wide.tabIndex = 0;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
