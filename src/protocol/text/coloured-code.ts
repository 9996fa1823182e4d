/**
 * Code as words of a few kinds, for whoever draws it in colours: the page makes elements of it, the share page writes text.
 * Only plain texts leave here; none of the highlighter's own markup does.
 */
/** What is needed of `highlight.js`; whoever draws brings it along, so that shapes lean on no package. */
export type Highlighter = {
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
};

export type CodeKind = "keyword" | "string" | "number" | "comment" | "name" | "meta" | "added" | "removed";
export type CodePart = { text: string; kind: CodeKind | undefined };

/** Longer pieces stay plain: nobody reads them by their colours. */
const CODE_CHARS_MAX = 8_000;

const KINDS: Readonly<Record<string, CodeKind>> = {
  keyword: "keyword",
  built_in: "keyword",
  type: "keyword",
  "selector-tag": "keyword",
  name: "keyword",
  string: "string",
  regexp: "string",
  symbol: "string",
  link: "string",
  number: "number",
  literal: "number",
  comment: "comment",
  quote: "comment",
  title: "name",
  section: "name",
  attr: "name",
  attribute: "name",
  property: "name",
  "selector-class": "name",
  "selector-id": "name",
  meta: "meta",
  prompt: "meta",
  addition: "added",
  deletion: "removed",
};

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const MARKUP = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|[^<&]+/g;

/** Undefined where the language is not known. Joined, the parts are the code. */
export function colouredCode(code: string, language: string, highlighter: Highlighter): CodePart[] | undefined {
  if (code.length > CODE_CHARS_MAX || highlighter.getLanguage(language) === undefined) return undefined;
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true });
  const parts: CodePart[] = [];
  const open: (CodeKind | undefined)[] = [];
  for (const [found, name, entity] of value.matchAll(MARKUP)) {
    if (name !== undefined) open.push(kindOf(name) ?? open.at(-1));
    else if (found === "</span>") open.pop();
    else add(parts, entity === undefined ? found : (ENTITIES[entity] ?? ""), open.at(-1));
  }
  return parts.map(({ text }) => text).join("") === code ? parts : undefined;
}

const kindOf = (names: string): CodeKind | undefined =>
  names
    .split(" ")
    .map((name) => KINDS[name.replace(/^hljs-/, "")])
    .find((kind) => kind !== undefined);

function add(parts: CodePart[], text: string, kind: CodeKind | undefined): void {
  const last = parts.at(-1);
  if (last !== undefined && last.kind === kind) last.text += text;
  else parts.push({ text, kind });
}
