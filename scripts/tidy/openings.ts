/** How a reader finds their way: a shipped file opens by saying what it is for, and exports something like its name. */
import { basename } from "node:path";
import { asNode, type Node, nodesOf } from "./syntax-nodes.ts";
import { isShipped, type SourceFile } from "./tree.ts";

/** Texts of one language: the folder says what they are. */
const isTextTable = ({ path }: SourceFile): boolean => /\/(?:i18n|texts)\/[a-z]{2}(?:-[A-Z]{2})?[./]/.test(path);

const isDue = (file: SourceFile): boolean => isShipped(file) && !isTextTable(file);

export const openingProblems = (files: SourceFile[]): string[] =>
  files
    .filter((file) => isDue(file) && !opens(file))
    .map(({ path }) => `${path}: open with a comment that says what the file is for`);

/** An order to a tool (`// oxlint-disable …`) is a comment, but tells a reader nothing about the file. */
const opens = ({ text }: SourceFile): boolean =>
  /^(?:#!.*\n)?\/[*/]+\s*(?:\*\s+)?(?!oxlint-|eslint-|@ts-|<)[\p{L}\p{N}`"'[]/u.test(text);

/** `export * from` passes: what it exports stands in another file, which is checked itself. */
export const exportProblems = (files: SourceFile[]): string[] =>
  files
    .filter((file) => isDue(file) && !hasFreeName(file))
    .flatMap((file) => {
      const exported = exportsOf(file);
      const own = ownNames(file).flatMap(wordsIn);
      const fits = (name: string): boolean => wordsIn(name).some((word) => own.some((mine) => shareStem(mine, word)));
      return exported.length === 0 || exported.some((name) => name === "*" || fits(name))
        ? []
        : `${file.path}: exports nothing like its name, but ${exported.slice(0, EXPORTS_NAMED_MAX).join(", ")}`;
    });

const EXPORTS_NAMED_MAX = 5;

/** A machine has one `decide.ts`, `evolve.ts` and `effects.ts` per idea, so there the folder's name counts as well. */
function ownNames({ path }: SourceFile): string[] {
  const idea = /\/machine\/([^/]+)\/(?:decide|evolve|effects)\.ts$/.exec(path)?.[1];
  return [basename(path).replace(/\.tsx?$/, ""), ...(idea === undefined ? [] : [idea])];
}

/** Entry points are named for their place, and the page's texts for what they are about. */
const hasFreeName = ({ path }: SourceFile): boolean => /\/(?:index|main|sdk)\.tsx?$|^ui\/i18n\//.test(path);

function exportsOf(file: SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (node.type === "ExportAllDeclaration") return "*";
    if (node.type !== "ExportNamedDeclaration") return [];
    const declared = asNode(node["declaration"]);
    return [
      ...(declared ? declaredBy(declared) : []),
      ...nodesIn(node["specifiers"]).flatMap((s) => namesIn(s["exported"])),
    ];
  });
}

const declaredBy = (node: Node): string[] =>
  node.type === "VariableDeclaration"
    ? nodesIn(node["declarations"]).flatMap((one) => namesIn(one["id"]))
    : namesIn(node["id"]);

/** The names that an identifier or a pattern (`const { a, b } = …`) brings. */
function namesIn(value: unknown): string[] {
  const node = asNode(value);
  if (typeof node?.["name"] === "string") return [node["name"]];
  return nodesIn(node?.["properties"]).flatMap((property) => namesIn(property["value"]));
}

const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.flatMap((item) => asNode(item) ?? []) : []);

const LINKING = new Set(["of", "in", "to", "for", "from", "with", "by", "and", "on", "is", "as", "at"]);

/** `planCard`, `PLAN_CARD` and `plan-card` are the words plan and card. */
const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_.]/)
    .filter((word) => word !== "" && !LINKING.has(word));

/** Tolerant of endings: decide and decision, summary and summarise, step and steps. */
function shareStem(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return long.startsWith(short.slice(0, Math.max(Math.min(short.length, 4), short.length - 2)));
}
