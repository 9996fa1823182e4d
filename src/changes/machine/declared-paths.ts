/**
 * Which files the steps of a plan name: by a declared scope, or in their text. A path is named by itself, by its file name, or
 * by a folder above it that is written with a slash.
 */
import type { PlannedStep } from "./executing-plan.ts";

const WORDS_MAX = 20_000;
const PATH_WORD =
  /[\p{L}\p{N}_.@~+*?{}[\]-]*(?:\/[\p{L}\p{N}_.@~+*?{}[\]-]*)+|[\p{L}\p{N}_@+-]*\.[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/gu;

export type DeclaredPaths = {
  /** Whether any step names a file at all. */
  readonly declares: boolean;
  names(path: string): boolean;
};

export function declaredPaths(steps: readonly PlannedStep[]): DeclaredPaths {
  const scoped = steps.flatMap(({ scope }) => scope?.paths ?? []);
  const written = steps.flatMap(({ step, activeForm = "", acceptanceCriteria = [] }) =>
    wordsIn([step, activeForm, ...acceptanceCriteria].join("\n")),
  );
  const words = new Set([...scoped, ...written].map(plain).filter((word) => word !== ""));
  const globs = [...words].filter((word) => word.includes("*"));
  return {
    declares: words.size > 0,
    names: (path) => isNamed(path, words) || globs.some((glob) => fits(glob.split("/"), path.split("/"))),
  };
}

const wordsIn = (text: string): string[] => [...text.matchAll(PATH_WORD)].slice(0, WORDS_MAX).map(([word]) => word);

/** Without what stands around a path in a sentence. */
const plain = (word: string): string => word.replace(/^\.\//, "").replace(/[.,;:]+$/, "");

function isNamed(path: string, words: ReadonlySet<string>): boolean {
  const parts = path.split("/");
  if (words.has(path) || words.has(parts.at(-1) ?? "")) return true;
  for (let length = 1; length < parts.length; length++) {
    const folder = parts.slice(0, length).join("/");
    if (words.has(`${folder}/`) || (length > 1 && words.has(folder))) return true;
  }
  return false;
}

/** `**` stands for any folders, `*` for any characters of a name; at most parts × names steps. */
function fits(parts: readonly string[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === "**") for (let to = at; to <= names.length; to++) next.add(to);
      else if (at < names.length && fitsName(part, names[at] ?? "")) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(names.length);
}

/** Pieces between stars, each found as early as possible: no going back. */
function fitsName(pattern: string, name: string): boolean {
  const pieces = pattern.split("*");
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}
