/**
 * Markdown inside of one line: code, emphasis, strike-through and links, as a tree of plain texts. It makes no HTML, so
 * that the page, the share page and others draw the same from it, each in its own safe way.
 */

export type InlineSpan =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "em" | "del"; spans: InlineSpan[] }
  /** Addresses are only those that may be opened: http, https and mailto. */
  | { kind: "link"; href: string; spans: InlineSpan[] };

/** Deeper than anybody writes; what lies below stays as it was written. */
const DEPTH_MAX = 4;
/** Longer lines stay plain: they are no prose. */
const CHARS_MAX = 8_192;

/** Two underscores are left alone: in plans they are names such as `__init__`, not emphasis. */
const PARTS = [
  /(?<ticks>`{1,3})(?!`)(?<code>[^\n]*?[^`\n])\k<ticks>(?!`)/,
  /\*\*(?=[^\s*])(?<strong>[^\n]*?[^\s])\*\*(?!\*)/,
  /~~(?=[^\s~])(?<del>[^\n]*?[^\s~])~~/,
  /\*(?=[^\s*])(?<em>[^*\n]*[^\s*])\*(?!\*)/,
  /(?<![\p{L}\p{N}_])_(?=[^\s_])(?<em2>[^_\n]*[^\s_])_(?![\p{L}\p{N}_])/u,
  /\[(?<label>[^\]\n]+)\]\((?<href>(?:https?:\/\/|mailto:)[^\s()<>"]+)\)/,
  /(?<![\p{L}\p{N}])(?<address>https?:\/\/[^\s<>"`|]*[^\s<>"`|.,;:!?*_~'()[\]{}])/u,
  /\\(?<sign>[\\`*_~[\]])/,
];
const INLINE = new RegExp(PARTS.map(({ source }) => source).join("|"), "gu");

export function inlineSpans(text: string, depth = 0): InlineSpan[] {
  if (depth >= DEPTH_MAX || text.length > CHARS_MAX) return text === "" ? [] : [{ kind: "text", text }];
  const spans: InlineSpan[] = [];
  const plain = (found: string): void => {
    const last = spans.at(-1);
    if (last?.kind === "text") last.text += found;
    else if (found !== "") spans.push({ kind: "text", text: found });
  };
  let at = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(INLINE)) {
    plain(text.slice(at, index));
    at = index + whole.length;
    const { sign } = groups;
    if (sign === undefined) spans.push(spanOf(groups, depth));
    else plain(sign);
  }
  plain(text.slice(at));
  return spans;
}

function spanOf(groups: Readonly<Record<string, string | undefined>>, depth: number): InlineSpan {
  const { code, strong, del, em, em2, label = "", href = "", address } = groups;
  const inside = (found: string): InlineSpan[] => inlineSpans(found, depth + 1);
  if (code !== undefined) return { kind: "code", text: /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code };
  if (strong !== undefined) return { kind: "strong", spans: inside(strong) };
  if (del !== undefined) return { kind: "del", spans: inside(del) };
  if (address !== undefined) return { kind: "link", href: address, spans: [{ kind: "text", text: address }] };
  const italic = em ?? em2;
  if (italic !== undefined) return { kind: "em", spans: inside(italic) };
  return { kind: "link", href, spans: inside(label) };
}

/** No words of their own: the edge of a piece of code, the line below the head of a table. */
const WORDLESS = /^(?:`{3}|~{3}|[\s:|-]+$)/;

/** One line that names a text of several: the first with words in it, without its Markdown. */
export function headLine(text: string): string {
  const found = text.split("\n").find((one) => one.trim() !== "" && !WORDLESS.test(one.trim())) ?? text;
  const line = found.trim().replace(/^(?:#{1,6}|>|[-*+]|\d+[.)])\s+/, "");
  const cells = /^\|(.*)\|$/.exec(line)?.[1]?.split("|");
  return plainLine(cells === undefined ? line : cells.map((cell) => cell.trim()).join(" · "));
}

/** The words alone, for places that show no form: a title, an announcement, a tooltip. */
export const plainLine = (text: string): string => inlineSpans(text).map(wordsOf).join("");

const wordsOf = (span: InlineSpan): string => ("text" in span ? span.text : span.spans.map(wordsOf).join(""));
