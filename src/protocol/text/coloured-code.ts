/**
 * Code as words of a few kinds, for whoever draws it in colours: the page makes elements of it, the share page writes text.
 * Only plain texts leave here; none of the highlighter's own markup does.
 */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import nginx from "highlight.js/lib/languages/nginx";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  graphql,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  nginx,
  php,
  powershell,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

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
export function colouredCode(code: string, language: string): CodePart[] | undefined {
  if (code.length > CODE_CHARS_MAX || hljs.getLanguage(language) === undefined) return undefined;
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
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
