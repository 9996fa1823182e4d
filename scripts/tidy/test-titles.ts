/** The titles of the tests in a file, as they are written: `it.each` keeps its marks, a hole of a template is an ellipsis. */
import type { Node } from "./syntax-nodes.ts";
import { asNode, first, nameOf, nodesOf, stringOf } from "./syntax-nodes.ts";
import type { SourceFile } from "./tree.ts";

const read = new WeakMap<SourceFile, ReadonlySet<string>>(); // many rows name tests of one file

export function titlesOf(file: SourceFile): ReadonlySet<string> {
  const known = read.get(file);
  if (known) return known;
  const titles = new Set(nodesOf(file).flatMap((node) => titleOf(node) ?? []));
  read.set(file, titles);
  return titles;
}

/** A call with a title first and a function behind it, by whatever name tests are made in that file. */
function titleOf(node: Node): string | undefined {
  if (node.type !== "CallExpression" || isSwitchedOff(node["callee"])) return undefined;
  const args = Array.isArray(node["arguments"]) ? (node["arguments"] as unknown[]) : [];
  const hasBody = args.slice(1).some((argument) => /Function/.test(asNode(argument)?.type ?? ""));
  return hasBody ? wholeText(first(args)) : undefined;
}

function wholeText(value: unknown): string | undefined {
  const node = asNode(value);
  if (node?.type !== "TemplateLiteral" || !Array.isArray(node["quasis"])) return stringOf(value);
  return node["quasis"].map((piece) => stringOf({ ...node, quasis: [piece] }) ?? "").join("…");
}

/** A skipped test proves nothing. */
export function isSwitchedOff(callee: unknown): boolean {
  const node = asNode(callee);
  if (!node) return false;
  const property = nameOf(node["property"]) ?? "";
  return /^(?:skip|todo|fails)$/.test(property) || isSwitchedOff(node["object"] ?? node["callee"]);
}
