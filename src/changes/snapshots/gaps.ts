/** What a look at a workspace notices besides its files: what it could not see, ignore files, and folders without files. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { holdBelow, holdFolder, partsOf } from "./held-folder.ts";
import type { JournalLine } from "./journal.ts";
import type { Walked } from "./walk.ts";

export type Gap = { path: string; why: string };

const TOO_MANY: Gap = { path: "", why: "too many files" };

export const gapsOf = ({ skipped, isCut }: Walked): Gap[] => [...skipped, ...(isCut ? [TOO_MANY] : [])];
export const gapKey = ({ path, why }: Gap): string => `${why} ${path}`;

export function gapsIn(line: JournalLine): readonly Gap[] {
  if (line.line === "base") return [...line.skipped, ...(line.isCut ? [TOO_MANY] : [])];
  return line.line === "begin" || line.line === "end" ? (line.gaps ?? []) : [];
}

/** Those that the journal does not name yet; from here on it does. */
export function freshGaps(gaps: readonly Gap[], known: Set<string>): { gaps?: Gap[] } {
  const fresh = gaps.filter((gap) => !known.has(gapKey(gap)));
  for (const gap of fresh) known.add(gapKey(gap));
  return fresh.length === 0 ? {} : { gaps: fresh };
}

/** Whether a path lies in one of these folders, of which nothing is known at the moment. */
export function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  if (folders.has("")) return true;
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
    if (folders.has(path.slice(0, end))) return true;
  return false;
}

const RULES = "ignore.json";
const Rules = z.array(z.tuple([z.string(), z.string()]));

/** Undefined in a record of an earlier version: then ignore files count as they stand there. */
export function readRules(folder: string): ReadonlyMap<string, string> | undefined {
  try {
    return new Map(Rules.parse(JSON.parse(readFileSync(join(folder, RULES), "utf8"))));
  } catch {
    return undefined;
  }
}

export const keepRules = (folder: string, rules: ReadonlyMap<string, string>): void =>
  writeWhole(join(folder, RULES), JSON.stringify([...rules]));

export function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.tmp`, path);
}

/** Of each file that a call names: the folder nearest to it that is there already. */
export function standingAbove(targets: readonly string[], workspace: string): string[] {
  const root = holdFolder(workspace);
  try {
    const standing = targets.flatMap((path) => {
      const folders = (partsOf(path) ?? []).slice(0, -1);
      for (let count = folders.length; count > 0; count--) {
        const held = holdBelow(root, folders.slice(0, count));
        held?.close();
        if (held !== undefined) return folders.slice(0, count).join("/");
      }
      return [];
    });
    return [...new Set(standing)];
  } finally {
    root.close();
  }
}

/** Folders that were there before a step, or before the plan, and may be without files: nobody takes them away. */
export function foldersThatStood(lines: readonly JournalLine[], step: number | null): ReadonlySet<string> {
  const stood = new Set<string>();
  let [isBefore, isFirstLook] = [true, true];
  for (const line of lines) {
    if (line.line !== "begin") continue;
    const isWhole = line.targets === undefined;
    if (isBefore || (isFirstLook && isWhole)) for (const folder of line.stood ?? []) stood.add(folder);
    if (isWhole) isFirstLook = false;
    if (step === null || line.step?.index === step) isBefore = false;
  }
  return stood;
}
