/** An agent's memory: Markdown files in a folder of its own, and one at the top of the workspace where that is set. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readTextFile } from "../builtin/text-file.ts";
import { locate } from "../builtin/workspace-path.ts";
import type { Passage } from "./rank.ts";

const FILES_MAX = 500;
const FILE_CHARS_MAX = 400_000;
const TOTAL_CHARS_MAX = 8_000_000;
const DEPTH_MAX = 4;
/** A passage is a section; a long one is parted. */
const PASSAGE_LINES_MAX = 30;

export type MemoryPlace = {
  /** The agent's own folder. */
  folder: string;
  workspace: string;
  /** Name of a file at the top of the workspace, or none. */
  workspaceFile: string | undefined;
};

/** `workspace:` before the name distinguishes the two places. */
const OUTSIDE = "workspace:";

export type MemoryFile = { path: string; text: string };

export async function readMemory(place: MemoryPlace): Promise<{ files: MemoryFile[]; more: boolean }> {
  const names = await markdownIn(place.folder, "", 0);
  const paths = [...(place.workspaceFile === undefined ? [] : [`${OUTSIDE}${place.workspaceFile}`]), ...names];
  const files: MemoryFile[] = [];
  let chars = 0;
  for (const path of paths.slice(0, FILES_MAX)) {
    const text = await readMemoryFile(place, path);
    if ("error" in text) continue; // gone, or no text: not found by searching
    if (chars + text.text.length > TOTAL_CHARS_MAX) return { files, more: true };
    chars += text.text.length;
    files.push({ path, text: text.text });
  }
  return { files, more: paths.length > FILES_MAX };
}

export async function readMemoryFile(
  { folder, workspace, workspaceFile }: MemoryPlace,
  path: string,
): Promise<{ text: string; path: string } | { error: string }> {
  const isOutside = path.startsWith(OUTSIDE);
  const name = isOutside ? path.slice(OUTSIDE.length) : path;
  if ((isOutside && name !== workspaceFile) || !name.toLowerCase().endsWith(".md"))
    return { error: `${path.slice(0, 200)} is no file of the memory. Use memory_search to find the right one.` };
  const located = await locate(name, { workspace: isOutside ? workspace : folder, protectedFolders: [] });
  if (!located.ok) return { error: `${path.slice(0, 200)} is no file of the memory.` };
  const read = await readTextFile(located.path, path);
  if (!read.ok)
    return { error: read.missing ? `${path} does not exist. Use memory_search to find the right one.` : read.error };
  return { path, text: read.file.text.slice(0, FILE_CHARS_MAX).toWellFormed() };
}

/** In a fixed order, with `/`; hidden files and links are left out. */
async function markdownIn(folder: string, below: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []); // no memory yet
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length > FILES_MAX || entry.name.startsWith(".")) continue;
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile() && entry.name.toLowerCase().endsWith(".md")) found.push(path);
    else if (entry.isDirectory() && depth < DEPTH_MAX) found.push(...(await markdownIn(folder, path, depth + 1)));
  }
  return found;
}

/** Sections by their headings, so that a passage has one subject. */
export function passagesOf({ path, text }: MemoryFile): Passage[] {
  const passages: Passage[] = [];
  let start = 0;
  const lines = text.split("\n");
  const close = (end: number): void => {
    const part = lines.slice(start, end).join("\n").trim();
    if (part !== "") passages.push({ path, fromLine: start + 1, toLine: end, text: part });
    start = end;
  };
  for (const [index, line] of lines.entries()) {
    const isHeading = /^#{1,6} /.test(line);
    if (index > start && (isHeading || index - start >= PASSAGE_LINES_MAX)) close(index);
  }
  close(lines.length);
  return passages;
}
