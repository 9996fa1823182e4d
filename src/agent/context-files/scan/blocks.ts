/**
 * A Markdown text as blocks: paragraphs, list items, table rows, comments. What is fenced or quoted is an example and
 * is no block; what stands below a heading or a line that announces examples, threats or prohibitions is marked.
 */
import { setsApart } from "./judge.ts";
import { maskQuotations } from "./quotations.ts";
import { tagSentence } from "./tag-words.ts";

/** `text` keeps its line breaks, so that a place in it can be counted back to a line. A heading is a row, too. */
export type Block = { text: string; line: number; place: "text" | "row" | "comment"; apart: boolean };

type LineKind = "blank" | "heading" | "item" | "row" | "quote" | "text";

const FENCE = /^\s{0,8}(?:>\s*)?(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})(.*)$/;
const HEADING = /^\s{0,3}#{1,6}(?:\s|$)/;
const ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+/;
const ROW = /^\s*\|/;
const QUOTE = /^\s{0,3}>/;
const ALERT = /^\s{0,3}>\s*\[![A-Za-z]+\]/;
const COMMENT =
  /<!--([\s\S]*?)(?:-->|(?![\s\S]))|^[ \t]*\[(?:\/\/|comment|_)\]:[ \t]*(?:#|<>)[ \t]*[("'](.*?)[)"']?[ \t]*$/gm;
const HIDING_TAG =
  /<(div|span|p|section|details)\b[^>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|\bhidden\b|color\s*:\s*(?:white|#fff|transparent)|opacity\s*:\s*0)[^>]*>([\s\S]{1,2000}?)(?:<\/\1>|(?![\s\S]))/gi;
const ENDS_SENTENCE = /[.!?:;。！？：；…)\]*_`|]\s*$/;

type Fence = { sign: string; length: number; isBare: boolean };

/** The fence that a line is, whether it opens or closes. */
function fenceOf(line: string): Fence | undefined {
  const found = FENCE.exec(line);
  const [mark = "", info = ""] = [found?.[1], found?.[2]];
  return mark === "" || info.includes("`")
    ? undefined
    : { sign: mark.charAt(0), length: mark.length, isBare: info.trim() === "" };
}

/** For each line, whether it is inside a fence. A fence that is never closed hides nothing. */
export function fencedLines(lines: readonly string[]): boolean[] {
  const fences = lines.map(fenceOf);
  const closes = closersBehind(fences);
  let open: Fence | undefined;
  return fences.map((fence, at) => {
    if (open !== undefined) {
      if (fence?.sign === open.sign && fence.isBare && fence.length >= open.length) open = undefined;
      return true;
    }
    if (fence !== undefined && (closes[at]?.[fence.sign] ?? 0) >= fence.length) open = fence;
    return open !== undefined;
  });
}

/** The longest bare fence of each sign behind each line. */
function closersBehind(fences: readonly (Fence | undefined)[]): Record<string, number>[] {
  let longest: Record<string, number> = {};
  const behind = fences.map(() => longest); // filled from its end, which a list that grows would be slow at
  for (let at = fences.length - 1; at >= 0; at -= 1) {
    behind[at] = longest;
    const fence = fences[at];
    if (fence?.isBare === true)
      longest = { ...longest, [fence.sign]: Math.max(longest[fence.sign] ?? 0, fence.length) };
  }
  return behind;
}

function kindOf(line: string): LineKind {
  if (line.trim() === "" || FENCE.test(line)) return "blank";
  if (HEADING.test(line)) return "heading";
  if (QUOTE.test(line)) return "quote";
  if (ROW.test(line)) return "row";
  return ITEM.test(line) ? "item" : "text";
}

/** Comments come out as blocks of their own and are blanked where they stood. */
function takeComments(text: string): { rest: string; comments: Block[] } {
  const comments: Block[] = [];
  const take = (whole: string, inner: string, at: number): string => {
    comments.push({ text: inner, line: lineAt(text, at), place: "comment", apart: false });
    return whole.replace(/[^\n]/g, " ");
  };
  const counted = { at: 0, line: 1 };
  function lineAt(of: string, at: number): number {
    for (; counted.at < at; counted.at += 1) if (of.charCodeAt(counted.at) === 10) counted.line += 1;
    return counted.line;
  }
  if (!text.includes("<") && !text.includes("]:")) return { rest: text, comments };
  const uncommented = text.replace(COMMENT, (whole: string, ...groups: (string | number | undefined)[]) =>
    take(whole, String(groups[0] ?? groups[1] ?? ""), Number(groups[2])),
  );
  counted.at = 0;
  counted.line = 1;
  const rest = uncommented.replace(HIDING_TAG, (whole: string, ...groups: (string | number | undefined)[]) =>
    take(whole, String(groups[1]), Number(groups[2])),
  );
  return { rest, comments };
}

type Building = {
  blocks: Block[];
  open: { text: string; line: number; kind: LineKind } | undefined;
  section: boolean;
  list: boolean;
  inList: boolean;
  alert: boolean;
};

export function blocksOf(text: string, fenced: readonly boolean[]): Block[] {
  const visible = text
    .split("\n")
    .map((line, at) => (fenced[at] === true ? "" : line))
    .join("\n");
  const { rest, comments } = takeComments(visible);
  const state: Building = { blocks: [], open: undefined, section: false, list: false, inList: false, alert: false };
  for (const [at, line] of rest.split("\n").entries()) {
    if (fenced[at] === true) close(state);
    else addLine(state, line, at + 1);
  }
  close(state);
  return [...joined(state.blocks), ...comments];
}

function addLine(state: Building, line: string, number: number): void {
  const kind = kindOf(line);
  if (kind !== "quote") state.alert = false;
  switch (kind) {
    case "blank":
      close(state);
      return;
    case "heading":
      close(state);
      state.section = isApart(line);
      state.list = false;
      state.blocks.push({ text: line, line: number, place: "row", apart: state.section });
      return;
    case "quote":
      if (ALERT.test(line)) state.alert = true;
      if (!state.alert) close(state);
      else extend(state, { text: line.replace(ALERT, "").replace(QUOTE, " "), line: number, kind: "text" });
      return;
    case "row":
      close(state);
      state.blocks.push({ text: line.replaceAll("|", ". "), line: number, place: "row", apart: state.section });
      return;
    case "item":
      close(state);
      state.inList = true;
      extend(state, { text: line.replace(ITEM, (mark) => " ".repeat(mark.length)), line: number, kind });
      return;
    default:
      if (state.inList && state.open === undefined && !/^\s/.test(line)) state.inList = false;
      extend(state, { text: line, line: number, kind });
  }
}

function extend(state: Building, given: { text: string; line: number; kind: LineKind }): void {
  if (state.open === undefined) state.open = given;
  else state.open.text += `\n${given.text}`;
}

function close(state: Building): void {
  const { open } = state;
  state.open = undefined;
  if (open === undefined) return;
  if (open.kind === "text" && !state.inList)
    state.list = open.text.trimEnd().search(/[:：]\**$/) >= 0 && isApart(lastSentence(open.text));
  const apart = state.section || ((open.kind === "item" || state.inList) && state.list);
  state.blocks.push({ text: open.text, line: open.line, place: "text", apart });
}

const lastSentence = (text: string): string =>
  text
    .slice(Math.max(0, text.length - 300))
    .split(/[.!?。！？]\s/)
    .at(-1) ?? "";

const isApart = (line: string): boolean => tagSentence(maskQuotations(line)).some(setsApart);

/** A paragraph that breaks off in the middle of a sentence goes on behind the empty lines. */
function joined(blocks: readonly Block[]): Block[] {
  const out: Block[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    const goesOn =
      last !== undefined &&
      /^\s*[a-z]/.test(block.text) &&
      !ENDS_SENTENCE.test(last.text) &&
      !HEADING.test(last.text) &&
      last.text.length < 400;
    if (!goesOn) out.push({ ...block });
    else last.text += `${"\n".repeat(Math.max(1, block.line - last.line - linesIn(last.text)))}${block.text}`;
  }
  return out;
}

const linesIn = (text: string): number => text.split("\n").length - 1;
