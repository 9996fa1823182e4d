/**
 * Markdown of agents as safe HTML. The heavy parts are loaded when Markdown is first shown, see rich-text.ts.
 * Two nets: no raw HTML leaves the Markdown reader, and what does leave it passes the sanitiser.
 */
import DOMPurify, { type Config } from "dompurify";
import { Marked } from "marked";
import type { CSSResult } from "lit";
import { emit } from "../parts/emit.ts";
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
  ALLOWED_ATTR: ["href", "title", "align", "start", "class"],
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
    html: ({ text, block }) => (block ? `<p>${escaped(text)}</p>` : escaped(text)),
    // a read-only checkbox becomes a sign
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    // a picture becomes a link to it: a person decides whether to load anything
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text === "" ? href : text)}</a>`,
  },
});

/** The one class that a text may set: the language of a piece of code. */
const LANGUAGE = /^language-[\w+#.-]{1,24}$/;

DOMPurify.addHook("uponSanitizeAttribute", (node, attribute) => {
  if (attribute.attrName !== "class") return;
  attribute.keepAttr = node.tagName === "CODE" && LANGUAGE.test(attribute.attrValue);
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
  for (const quote of place.querySelectorAll("blockquote")) nameAlert(quote);
  for (const list of place.querySelectorAll<HTMLElement>(LISTS)) if (isRightToLeft(list.textContent)) list.dir = "rtl";
  // what scrolls must be reachable by keyboard
  for (const wide of place.querySelectorAll<HTMLElement>("pre, table")) wide.tabIndex = 0;
  if (place.querySelector("pre > code.language-mermaid") !== null) dress(place, diagrams);
  if (place.querySelector("pre > code") !== null) dress(place, colours);
}

const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

/** A quotation that begins with `[!WARNING]` is no quotation: agents write it to be noticed. */
function nameAlert(quote: Element): void {
  const words = quote.firstElementChild?.firstChild;
  const [marker = "", name = ""] = ALERT.exec(words?.textContent ?? "") ?? [];
  if (!(words instanceof Text) || name === "") return;
  const title = document.createElement("strong");
  title.textContent = name.charAt(0) + name.slice(1).toLowerCase();
  words.before(title);
  words.data = words.data.slice(marker.length);
  if (words.data !== "") title.after(document.createElement("br"));
  quote.classList.add("alert", name.toLowerCase());
}

/** Their marks and columns begin where their words do; each line has a direction of its own already. */
const LISTS = ":is(ul, ol, table):not(ul *, ol *)";
const FIRST_LETTER = /\p{L}/u;
const WRITTEN_LEFTWARDS = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const isRightToLeft = (text: string): boolean => WRITTEN_LEFTWARDS.test(FIRST_LETTER.exec(text)?.[0] ?? "");

/** What is done to a text that holds code or diagrams; its code is loaded with the first of them. */
type Dressing = { work?: (place: Element) => void; look?: CSSResult; load(): Promise<void>; loading?: Promise<void> };

const diagrams: Dressing = {
  async load() {
    const loaded = await import("./diagrams.ts");
    Object.assign(this, { work: loaded.drawDiagrams, look: loaded.diagramLook });
  },
};

const colours: Dressing = {
  async load() {
    const loaded = await import("./code-blocks.ts");
    Object.assign(this, { work: loaded.dressCode, look: loaded.codeLook });
  },
};

/** At once where it is loaded, so that a text that grows does not flicker. It stays plain where it cannot be loaded. */
function dress(place: Element, dressing: Dressing): void {
  const { work, look } = dressing;
  if (work === undefined) {
    const loading = dressing.loading ?? dressing.load().catch(() => void delete dressing.loading); // the next text tries again
    dressing.loading = loading;
    void loading.then(() => dressing.work !== undefined && place.isConnected && dress(place, dressing));
    return;
  }
  const root = place.getRootNode();
  const sheet = look?.styleSheet;
  if (root instanceof ShadowRoot && sheet !== undefined && !root.adoptedStyleSheets.includes(sheet))
    root.adoptedStyleSheets.push(sheet);
  work(place);
  emit(place, "hp-text-drawn");
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
