/** What a check wants to know of one source file, read from its syntax tree: text search is fooled by strings and comments. */
import { dirname, join, normalize } from "node:path";
import { parseSync } from "vite";
import type { SourceFile } from "./tree.ts";

export type Node = { type: string; [field: string]: unknown };

const parsed = new WeakMap<SourceFile, Node[]>(); // several checks ask about the same file

/** Depth first, parents before children. */
export function nodesOf(file: SourceFile): Node[] {
  const known = parsed.get(file);
  if (known) return known;
  const { program, errors } = parseSync(file.path, file.text);
  const fatal = errors.find((error) => error.severity === "Error");
  if (fatal) throw new Error(`${file.path}: ${fatal.message}`);
  const found: Node[] = [];
  visit(program, found);
  parsed.set(file, found);
  return found;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

function visit(value: unknown, found: Node[]): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) visit(item, found);
    return;
  }
  if (isNode(value)) found.push(value);
  for (const child of Object.values(value)) visit(child, found);
}

/** Every module a file names: import, export … from, import(), and new URL("./worker.ts", import.meta.url). */
export function specifiersOf(file: SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (/^(?:Import|ExportNamed|ExportAll)(?:Declaration|Expression)$|^TSImportType$/.test(node.type)) {
      return stringOf(node["source"] ?? node["argument"]) ?? [];
    }
    return isModuleUrl(node) ? (stringOf(first(node["arguments"])) ?? []) : [];
  });
}

/** Relative specifiers only, as paths from the root of the repository. */
export const targetsOf = (file: SourceFile): string[] =>
  specifiersOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => normalize(join(dirname(file.path), specifier)));

function isModuleUrl(node: Node): boolean {
  if (node.type !== "NewExpression" || nameOf(node["callee"]) !== "URL") return false;
  const target = stringOf(first(node["arguments"]));
  return target !== undefined && /^\..*\.[jt]s$/.test(target);
}

export const asNode = (value: unknown): Node | undefined => (isNode(value) ? value : undefined);

export const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/** The name of an identifier node. */
export function nameOf(value: unknown): string | undefined {
  const node = asNode(value);
  return node?.type === "Identifier" && typeof node["name"] === "string" ? node["name"] : undefined;
}

/** The text of a string literal, or the beginning of a template up to its first hole. */
export function stringOf(value: unknown): string | undefined {
  const node = asNode(value);
  if (node?.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node?.type !== "TemplateLiteral") return undefined;
  const head = asNode(first(node["quasis"]))?.["value"];
  if (typeof head !== "object" || head === null || !("cooked" in head)) return undefined;
  return typeof head.cooked === "string" ? head.cooked : undefined;
}
