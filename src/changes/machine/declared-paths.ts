/**
 * Which files the steps of a plan name: by a declared scope, or in their text. A path is named by itself, by its file name, or
 * by a folder above it that is written with a slash.
 */
import type { PlannedStep } from "./executing-plan.ts";
import { pathCover } from "../../protocol/calls/confinement.ts";
import { matchesParts } from "./match-parts.ts";

const WORDS_MAX = 20_000;
const PATH_WORD =
  /[\p{L}\p{N}_.@~+*?{}[\]-]*(?:\/[\p{L}\p{N}_.@~+*?{}[\]-]*)+|[\p{L}\p{N}_@+-]*\.[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/gu;

export type DeclaredPaths = {
  /** Whether any step names a file at all. */
  readonly declares: boolean;
  names(path: string): boolean;
};

/** `amended`: what people added to the plan's scope while it was carried out. */
export function declaredPaths(steps: readonly PlannedStep[], amended: readonly string[] = []): DeclaredPaths {
  const scoped = [...steps.flatMap(({ scope }) => scope?.paths ?? []), ...amended];
  const covers = pathCover(scoped);
  const written = steps.flatMap(({ step, activeForm = "", acceptanceCriteria = [] }) =>
    wordsIn([step, activeForm, ...acceptanceCriteria].join("\n")),
  );
  const words = new Set([...scoped, ...written].map(plain).filter((word) => word !== ""));
  const globs = [...words].filter((word) => word.includes("*"));
  return {
    declares: words.size > 0,
    names: (path) =>
      covers(path) || isNamed(path, words) || globs.some((glob) => matchesParts(glob.split("/"), path.split("/"))),
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
