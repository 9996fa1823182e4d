/** Decisions are pure: no clock, no chance, no I/O, no waiting. Time and ids come in as data. */
import type { Node } from "./syntax-nodes.ts";
import { nameOf, nodesOf, specifiersOf } from "./syntax-nodes.ts";
import type { SourceFile } from "./tree.ts";
import { isShipped } from "./tree.ts";

const PURE = /^src\/(?:core|plan-mode\/(?:machine|cards)|scheduler\/machine)\//;

const TIMERS = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "queueMicrotask"];
const WORLD = ["Date", "process", "performance", "crypto", "fetch", "console", "globalThis"];
const IMPURE_NAMES = new Set([...TIMERS, ...WORLD]);

export function purityProblems(files: SourceFile[]): string[] {
  return files
    .filter((file) => isShipped(file) && PURE.test(file.path))
    .flatMap((file) => [...impurities(file)].map((what) => `${file.path}: is pure and may not use ${what}`));
}

function impurities(file: SourceFile): Set<string> {
  const nodes = nodesOf(file);
  const labels = new Set(nodes.flatMap(labelOf));
  return new Set([
    ...specifiersOf(file).filter((specifier) => specifier.startsWith("node:")),
    ...nodes.flatMap((node) => impurityOf(node, labels) ?? []),
  ]);
}

function impurityOf(node: Node, labels: Set<unknown>): string | undefined {
  if (node["async"] === true) return "async";
  if (node.type === "AwaitExpression" || (node.type === "ForOfStatement" && node["await"] === true)) return "await";
  if (node.type === "ImportExpression") return "import()";
  if (isRandom(node)) return "Math.random";
  const name = labels.has(node) ? undefined : nameOf(node);
  return name !== undefined && IMPURE_NAMES.has(name) ? name : undefined;
}

const isRandom = (node: Node): boolean =>
  node.type === "MemberExpression" && nameOf(node["object"]) === "Math" && nameOf(node["property"]) === "random";

/** `{ process: 1 }` and `run.process` only carry the word as a label; the global is not touched. */
function labelOf(node: Node): unknown[] {
  if (node["computed"] === true || node["shorthand"] === true) return [];
  if (node.type === "MemberExpression") return [node["property"]];
  const isMember = /^(?:Property|PropertyDefinition|MethodDefinition|TSPropertySignature|TSMethodSignature)$/;
  return isMember.test(node.type) ? [node["key"]] : [];
}
