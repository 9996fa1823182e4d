/**
 * A page as text that reads well: headings, lists, links, tables and code in the manner of Markdown. What a reader does
 * not see is left out (scripts, hidden elements, comments), so that nothing hides in it from people; where the page
 * marks its main part, only that is kept.
 */
import { type Token, tokensOf } from "./tokens.ts";

const TEXT_CHARS_MAX = 2_000_000;
const HTML_CHARS_MAX = 3_000_000;
const DEPTH_MAX = 128;
/** A main part with less than this in it is a mistake of the page. */
const MAIN_CHARS_MIN = 200;
const TITLE_CHARS_MAX = 300;

const SKIPPED = new Set(
  "script style noscript template svg math canvas iframe object embed audio video select button dialog head textarea noembed noframes".split(
    " ",
  ),
);
/** Left out unless nothing else is there: the same on every page of a site. */
const AROUND = new Set(["nav", "aside", "footer", "form", "menu"]);
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const BLOCKS = new Set(
  "address article blockquote body caption dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hgroup hr html li main ol p pre section summary table tbody tfoot thead tr ul nav aside footer form".split(
    " ",
  ),
);

/** The next of them begins its own line. */
const ROWS = new Set(["li", "tr", "dt", "dd"]);

export type Readable = { title: string; text: string };

export function readable(given: string, baseUrl: string): Readable {
  const html = given.slice(0, HTML_CHARS_MAX);
  const whole = read(html, { baseUrl, only: undefined, around: false });
  const main = whole.hasMain ? read(html, { baseUrl, only: whole.hasMain, around: false }).text : "";
  if (main.length >= MAIN_CHARS_MIN) return { title: whole.title, text: main };
  const text = whole.text === "" ? read(html, { baseUrl, only: undefined, around: true }).text : whole.text;
  return { title: whole.title, text };
}

type Wish = { baseUrl: string; only: "main" | "article" | undefined; around: boolean };
type Found = { title: string; text: string; hasMain: "main" | "article" | undefined };

type Open = {
  name: string;
  skipped: boolean;
  kept: boolean;
  link?: { href: string; from: number };
  list?: { n: number };
};

type Page = {
  /** Pieces rather than one string: looking at the end of a growing string copies it each time. */
  pieces: string[];
  chars: number;
  endsInSpace: boolean;
  title: string;
  open: Open[];
  hasMain: Found["hasMain"];
  pre: number;
};

function put(page: Page, piece: string): void {
  if (piece === "") return;
  page.pieces.push(piece);
  page.chars += piece.length;
  page.endsInSpace = /\s/.test(piece.charAt(piece.length - 1));
}

function read(html: string, wish: Wish): Found {
  const page: Page = {
    pieces: [],
    chars: 0,
    endsInSpace: true,
    title: "",
    open: [],
    hasMain: undefined,
    pre: 0,
  };
  let inTitle = false;
  for (const token of tokensOf(html)) {
    if (page.chars > TEXT_CHARS_MAX) break;
    if (token.kind === "text") {
      if (inTitle) page.title ||= squeeze(token.text).trim().slice(0, TITLE_CHARS_MAX);
      else write(page, token.text);
    } else if (token.kind === "open") {
      inTitle = token.name === "title";
      openTag(page, token, wish);
    } else {
      inTitle = false;
      closeTag(page, token.name);
    }
  }
  return { title: page.title, text: tidied(page.pieces.join("")), hasMain: page.hasMain };
}

type OpenToken = Extract<Token, { kind: "open" }>;

const isShown = ({ open }: Page): boolean => {
  const last = open.at(-1);
  return last === undefined || (!last.skipped && last.kept);
};

function openTag(page: Page, token: OpenToken, wish: Wish): void {
  const { name, attributes } = token;
  page.hasMain = mainPart(token) === "main" ? "main" : (page.hasMain ?? mainPart(token));
  if (VOID.has(name)) return voidTag(page, token);
  if (name === "title" || page.open.length >= DEPTH_MAX) return;
  closeImplied(page, CLOSES[name]);
  const entry = entryFor(token, page.open.at(-1), wish);
  page.open.push(entry);
  if (entry.skipped || !entry.kept) return;
  if (BLOCKS.has(name)) put(page, "\n");
  begin(page, entry, { attributes, wish });
}

/** What stands in a part that is left out is left out too; what stands in the main part is kept. */
const entryFor = (token: OpenToken, above: Open | undefined, wish: Wish): Open => ({
  name: token.name,
  skipped: above?.skipped === true || isLeftOut(token, wish),
  kept: (above?.kept ?? wish.only === undefined) || (wish.only !== undefined && mainPart(token) === wish.only),
});

function mainPart({ name, attributes }: OpenToken): Found["hasMain"] {
  if (name === "main" || attributes.get("role") === "main") return "main";
  return name === "article" ? "article" : undefined;
}

const isLeftOut = (token: OpenToken, { around }: Wish): boolean =>
  SKIPPED.has(token.name) || isHidden(token) || (!around && AROUND.has(token.name));

/** Elements whose next one ends them: `<li>a<li>b` is two items. */
const CLOSES: Readonly<Record<string, string | undefined>> = {
  li: "li",
  tr: "tr",
  td: "td",
  th: "th",
  dt: "dt",
  dd: "dd",
  option: "option",
  p: "p",
};

function closeImplied({ open }: Page, name: string | undefined): void {
  if (name !== undefined && open.at(-1)?.name === name) open.pop();
}

const isHidden = ({ attributes }: OpenToken): boolean =>
  attributes.has("hidden") ||
  attributes.get("aria-hidden") === "true" ||
  /(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d]))/i.test(
    attributes.get("style") ?? "",
  );

type Beginning = { attributes: ReadonlyMap<string, string>; wish: Wish };

function begin(page: Page, entry: Open, { attributes, wish }: Beginning): void {
  const { name } = entry;
  const isInline = name === "code" && page.pre === 0;
  put(page, name === "li" ? itemMark(page) : isInline ? "`" : (BEGINNINGS[name] ?? ""));
  if (name === "pre") page.pre += 1;
  if (name === "ol") entry.list = { n: 0 };
  const href = name === "a" ? linkTarget(attributes.get("href"), wish.baseUrl) : undefined;
  if (href !== undefined) entry.link = { href, from: page.pieces.length };
}

const BEGINNINGS: Readonly<Record<string, string>> = {
  h1: "\n# ",
  h2: "\n## ",
  h3: "\n### ",
  h4: "\n#### ",
  h5: "\n##### ",
  h6: "\n###### ",
  p: "\n",
  ul: "\n",
  ol: "\n",
  table: "\n",
  blockquote: "> ",
  td: " | ",
  th: " | ",
  pre: "\n```\n",
};

function itemMark({ open }: Page): string {
  const lists = open.filter(({ name }) => name === "ul" || name === "ol");
  const list = lists.at(-1)?.list;
  const indent = "  ".repeat(Math.max(0, lists.length - 1));
  if (list === undefined) return `${indent}- `;
  list.n += 1;
  return `${indent}${list.n}. `;
}

function linkTarget(href: string | undefined, baseUrl: string): string | undefined {
  if (href === undefined || href.startsWith("#")) return undefined;
  const url = URL.parse(href.trim(), baseUrl);
  return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : undefined;
}

function voidTag(page: Page, { name, attributes }: OpenToken): void {
  if (!isShown(page)) return;
  if (name === "br") put(page, "\n");
  else if (name === "hr") put(page, "\n\n---\n");
  else if (name === "img") {
    const alt = squeeze(attributes.get("alt") ?? "").trim();
    if (alt !== "") put(page, `[image: ${alt}]`);
  }
}

function closeTag(page: Page, name: string): void {
  const at = page.open.findLastIndex((entry) => entry.name === name);
  if (at < 0) return;
  for (const entry of page.open.slice(at).toReversed()) end(page, entry);
  page.open.length = at;
}

function end(page: Page, { name, skipped, kept, link }: Open): void {
  if (skipped || !kept) return;
  if (name === "pre") {
    page.pre -= 1;
    put(page, "\n```\n");
  } else if (name === "code" && page.pre === 0) put(page, "`");
  else if (link !== undefined) {
    const said = squeeze(page.pieces.splice(link.from).join("")).trim();
    put(page, said === "" || said === link.href ? link.href : `[${said}](${link.href})`);
  }
  if (BLOCKS.has(name) && !ROWS.has(name)) put(page, "\n");
  if (/^(?:h[1-6]|p|ul|ol|table|blockquote)$/.test(name)) put(page, "\n");
}

const squeeze = (text: string): string => text.replaceAll(/\s+/g, " ");

function write(page: Page, text: string): void {
  if (!isShown(page)) return;
  if (page.pre > 0) return put(page, text);
  const flat = squeeze(text);
  put(page, page.endsInSpace ? flat.trimStart() : flat);
}

/** At most one empty line in a row outside code, no spaces at the ends of lines. */
function tidied(text: string): string {
  const out: string[] = [];
  let inCode = false;
  for (const line of text.split("\n")) {
    if (line === "```") inCode = !inCode;
    const clean = inCode ? line : line.trimEnd();
    if (clean !== "" || inCode || (out.length > 0 && out.at(-1) !== "")) out.push(clean);
  }
  return out.join("\n").trim();
}
