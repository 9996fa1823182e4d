/**
 * Markdown of agents as HTML for a page that runs nothing: headings, lists, tables, quotes, code and what stands inside a
 * line. Every text is escaped by the caller's own function, and no HTML of the text gets through.
 */
import { codeHtml } from "./code-html.ts";
import { inlineSpans, type InlineSpan } from "../../../protocol/text/inline-markdown.ts";

type Escape = (text: string) => string;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6}) +(.+?)(?: +#+)? *$/;
const ITEM = /^( *)(?:[-*+]|(\d{1,9})[.)]) +(.*)$/;
const QUOTE = /^ {0,3}> ?/;
const TABLE_ROW = /^ *\|.*\| *$/;
const TABLE_RULE = /^ *\|(?: *:?-+:? *\|)+ *$/;
/** Headings of a text stand below those of the page: h3 and smaller. */
const HEADING_FIRST = 2;
const HEADING_LAST = 6;

/** What stands inside of one line. */
export const lineHtml = (text: string, esc: Escape): string =>
  inlineSpans(text)
    .map((span) => spanHtml(span, esc))
    .join("");

function spanHtml(span: InlineSpan, esc: Escape): string {
  if ("text" in span) return span.kind === "code" ? `<code>${esc(span.text)}</code>` : esc(span.text);
  const inside = span.spans.map((part) => spanHtml(part, esc)).join("");
  if (span.kind !== "link") return `<${span.kind}>${inside}</${span.kind}>`;
  return `<a href="${esc(span.href)}" rel="noopener noreferrer nofollow">${inside}</a>`;
}

/** Blocks in their order; each reads its own lines and says where the next begins. */
export function markdownHtml(text: string, esc: Escape): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const html: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const block = blockAt(lines, at, esc);
    html.push(block.html);
    at = Math.max(block.next, at + 1);
  }
  return html.join("");
}

type Block = { html: string; next: number };

function blockAt(lines: readonly string[], at: number, esc: Escape): Block {
  const line = lines[at] ?? "";
  if (line.trim() === "") return { html: "", next: at + 1 };
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return fencedBlock(lines, { at, fence }, esc);
  if (HEADING.test(line)) return { html: headingHtml(line, esc), next: at + 1 };
  if (TABLE_ROW.test(line) && TABLE_RULE.test(lines[at + 1] ?? "")) return tableBlock(lines, at, esc);
  if (QUOTE.test(line)) return quoteBlock(lines, at, esc);
  if (ITEM.test(line)) return listBlock(lines, at, esc);
  const next = endOf(lines, at, (other) => other.trim() !== "" && !beginsBlock(other));
  return { html: `<p class="text">${linesHtml(lines.slice(at, next), esc)}</p>`, next };
}

function headingHtml(line: string, esc: Escape): string {
  const [, signs = "", heading = ""] = HEADING.exec(line) ?? [];
  const level = Math.min(HEADING_LAST, signs.length + HEADING_FIRST);
  return `<h${level}>${lineHtml(heading, esc)}</h${level}>`;
}

function quoteBlock(lines: readonly string[], at: number, esc: Escape): Block {
  const next = endOf(lines, at, (other) => QUOTE.test(other));
  const inside = lines.slice(at, next).map((quoted) => quoted.replace(QUOTE, ""));
  return { html: `<blockquote><p class="text">${linesHtml(inside, esc)}</p></blockquote>`, next };
}

const linesHtml = (lines: readonly string[], esc: Escape): string =>
  lines.map((line) => lineHtml(line.trim(), esc)).join("\n");

const beginsBlock = (line: string): boolean =>
  [FENCE, HEADING, QUOTE, ITEM, TABLE_ROW].some((pattern) => pattern.test(line));

/** The first line behind `at` that does not belong to it any more. */
function endOf(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  const rest = lines.slice(at + 1).findIndex((line) => !belongs(line));
  return rest === -1 ? lines.length : at + 1 + rest;
}

function fencedBlock(lines: readonly string[], { at, fence }: { at: number; fence: string }, esc: Escape): Block {
  const end = endOf(lines, at, (line) => !line.trim().startsWith(fence));
  const language = (lines[at] ?? "").trim().slice(fence.length).trim().split(/\s/, 1)[0]?.toLowerCase() ?? "";
  return { html: codeHtml(lines.slice(at + 1, end).join("\n"), language, esc), next: end + 1 };
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

function tableBlock(lines: readonly string[], at: number, esc: Escape): Block {
  const next = endOf(lines, at, (line) => TABLE_ROW.test(line));
  const rowHtml = (row: string, tag: string): string =>
    `<tr>${cellsOf(row)
      .map((cell) => `<${tag}>${lineHtml(cell, esc)}</${tag}>`)
      .join("")}</tr>`;
  const rows = lines.slice(at + 2, next).map((row) => rowHtml(row, "td"));
  return { html: `<div class="wide"><table>${rowHtml(lines[at] ?? "", "th")}${rows.join("")}</table></div>`, next };
}

/** Items of every depth stand in one list, indented as they were written. */
function listBlock(lines: readonly string[], at: number, esc: Escape): Block {
  const next = endOf(lines, at, (line) => ITEM.test(line) || /^ {2,}\S/.test(line));
  const items = lines.slice(at, next).map((line) => {
    const [, indent = "", number, text] = ITEM.exec(line) ?? [];
    const depth = Math.min(4, Math.floor(indent.length / 2));
    const mark = number === undefined ? "•" : `${number}.`;
    return text === undefined
      ? `<li class="d${depth}">${lineHtml(line.trim(), esc)}</li>`
      : `<li class="d${depth}"><span>${esc(mark)}</span> ${lineHtml(text, esc)}</li>`;
  });
  return { html: `<ul class="marked">${items.join("")}</ul>`, next };
}
