/** How big things grow and what they are called. */
import { basename, dirname } from "node:path";
import type { SourceFile } from "./tree.ts";
import { isCode, isShipped } from "./tree.ts";

const FILE_LINES_MAX = 500;
const FOLDER_FILES_MAX = 20;

/** Words that say "I did not find out what this is". */
const EMPTY_WORDS = /(?:^|[-.])(?:utils?|helpers?|common|shared|misc|managers?|services?|part-?\d+)$/i;

export function sizeProblems(files: SourceFile[]): string[] {
  const long = files.filter((file) => isCode(file) && linesOf(file) > FILE_LINES_MAX);
  const perFolder = Map.groupBy(files.filter(isShipped), (file) => dirname(file.path));
  const wide = [...perFolder].filter(([, group]) => group.length > FOLDER_FILES_MAX);
  return [
    ...long.map((file) => `${file.path}: ${linesOf(file)} lines, at most ${FILE_LINES_MAX}`),
    ...wide.map(([folder, group]) => `${folder}: ${group.length} files, at most ${FOLDER_FILES_MAX}`),
  ];
}

export function nameProblems(files: SourceFile[]): string[] {
  const paths = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file.path)).map((file) => file.path);
  const folders = new Set(paths.flatMap(foldersOf));
  return [...folders, ...paths]
    .filter(isEmptyName)
    .map((path) => `${path}: name the idea, "${basename(path)}" is none`);
}

const isEmptyName = (path: string): boolean =>
  EMPTY_WORDS.test(basename(path).replace(/(?:\.test)?\.[cm]?[jt]sx?$/, ""));

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

const linesOf = ({ text }: SourceFile): number => text.replace(/\n$/, "").split("\n").length;
