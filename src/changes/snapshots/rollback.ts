/**
 * Puts files of a workspace back to what they were before a step, or before the plan.
 *
 *   preview ─▶ a person reads it ─▶ order (each file as it stands and as it stood, on disk) ─▶ each file ─▶ restored
 *
 * A file that does not stand as the step left it was changed by somebody since: it is a conflict, and left alone unless the
 * person chose to overwrite it. Each file is replaced in one move; a killed process goes on with the files that are left.
 */
import { hash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { CycleRecord } from "./cycle-record.ts";
import { type Delta, type Entry, isNotKept, isSameFile, linkTarget, permissionsOf } from "./entry.ts";
import { foldersThatStood } from "./gaps.ts";
import { codeOf, type HeldFolder, holdBelow, holdFolder, partsOf } from "./held-folder.ts";
import { type FileEvent, historyOf, lastEvent, netOf, type Net, type StepKey } from "./history.ts";

/** Above this many the files are not synced one by one: their contents are in the record anyway. */
const SYNCED_MAX = 200;

/**
 * `others`: somebody else changed it since; `later`: a later step did; `mixed`: others changed it between calls of the step;
 * `lost`: what it held before was not kept.
 */
export type Conflict = "others" | "later" | "mixed" | "lost";

export type PreviewedFile = Delta & { conflict?: Conflict };
export type Preview = { digest: string; files: PreviewedFile[] };

/** Files that stand as they stood already are not listed. */
export function previewRollback(record: CycleRecord, step: StepKey | undefined): Preview {
  const history = historyOf(record.lines);
  const files = netOf(history, step).flatMap((net): PreviewedFile[] => {
    const now = record.present(net.path);
    if (isSameFile(now, net.before)) return [];
    const conflict = conflictOf(net, now, lastEvent(history, net.path));
    return [{ path: net.path, before: now, after: net.before, ...(conflict === undefined ? {} : { conflict }) }];
  });
  return { digest: digestOf(step, files), files };
}

function conflictOf(
  { before, after, isMixed }: Net,
  now: Entry | null,
  last: FileEvent | undefined,
): Conflict | undefined {
  if (before !== null && isNotKept(before.ref)) return "lost";
  if (isSameFile(now, after)) return isMixed ? "mixed" : undefined;
  return last?.cause.kind === "step" && isSameFile(now, last.after) ? "later" : "others";
}

const shown = (entry: Entry | null): unknown =>
  entry === null ? null : [entry.ref, permissionsOf(entry), isNotKept(entry.ref) ? entry.stat : 0];

const digestOf = (step: StepKey | undefined, files: readonly PreviewedFile[]): string =>
  hash(
    "sha256",
    JSON.stringify([
      step ?? null,
      files.map(({ path, before, after, conflict }) => [path, shown(before), shown(after), conflict]),
    ]),
    "hex",
  );

export type RollbackOrder = {
  rollbackId: string;
  step: number | null;
  by: string;
  atMs: number;
  /** What becomes of files in conflict: they stay as they are, or are overwritten. */
  conflicts: "keep" | "overwrite";
};
export type Restored = { restored: Delta[]; left: { path: string; why: string }[] };

/** Writes down what will be done; the same order twice is one. */
export function orderRollback(record: CycleRecord, order: RollbackOrder, { files }: Preview): void {
  if (record.lines.some((line) => line.line === "rollback" && line.rollbackId === order.rollbackId)) return;
  const { rollbackId, step, by, atMs, conflicts } = order;
  const chosen = files
    .filter(({ conflict }) => conflict === undefined || (conflicts === "overwrite" && conflict !== "lost"))
    .map(({ path, before, after }) => ({ path, before, after }));
  record.add({ line: "rollback", rollbackId, step, by, atMs, files: chosen });
}

/** Does what was written down, or the rest of it. */
export function performRollback(
  record: CycleRecord,
  workspace: string,
  at: { rollbackId: string; atMs: number },
): Restored {
  const { rollbackId, atMs } = at;
  const done = record.lines.find((line) => line.line === "restored" && line.rollbackId === rollbackId);
  if (done?.line === "restored") return { restored: done.changed, left: done.left };
  const order = record.lines.find((line) => line.line === "rollback" && line.rollbackId === rollbackId);
  if (order?.line !== "rollback") return { restored: [], left: [] };
  const root = holdFolder(workspace);
  try {
    const stood = foldersThatStood(record.lines, order.step);
    const isByAnother = restoredByOthers(record.lines, order);
    const restored: Delta[] = [];
    const left: Restored["left"] = [];
    for (const file of order.files) {
      if (isByAnother(file) && isSameFile(record.present(file.path), file.after)) continue;
      const why = restoreFile(file, { record, root, stood, rollbackId, isSynced: order.files.length <= SYNCED_MAX });
      if (why === undefined) restored.push({ ...file, after: record.present(file.path) });
      else left.push({ path: file.path, why });
    }
    record.add({ line: "restored", rollbackId, atMs, changed: restored, left });
    return { restored, left };
  } finally {
    root.close();
  }
}

/** Somebody else may have ordered the same at the same time: what theirs put back since, this one did not. */
function restoredByOthers(
  lines: CycleRecord["lines"],
  order: Extract<CycleRecord["lines"][number], { line: "rollback" }>,
): (file: Delta) => boolean {
  const since = lines.slice(lines.indexOf(order)).flatMap((line) => (line.line === "restored" ? line.changed : []));
  const after = new Map(since.map((delta) => [delta.path, delta.after]));
  return ({ path, after: wanted }) => isSameFile(after.get(path) ?? null, wanted) && after.has(path);
}

type Around = {
  record: CycleRecord;
  root: HeldFolder;
  /** Folders that are left even if nothing is in them. */
  stood: ReadonlySet<string>;
  rollbackId: string;
  isSynced: boolean;
};

/** Why it was left; undefined: it stands as it stood. */
function restoreFile(file: Delta, around: Around): string | undefined {
  const { root, stood, rollbackId } = around;
  const parts = partsOf(file.path);
  if (parts === undefined) return "no path of the workspace";
  removeBeside(root, parts, rollbackId);
  const why = replaceFile(file, parts, around);
  // also where the file is gone already: a killed process may have come this far
  if (why === undefined && file.after === null) removeEmpty(root, parts.slice(0, -1), stood);
  return why;
}

function replaceFile({ path, before, after }: Delta, parts: readonly string[], around: Around): string | undefined {
  const { record, root, rollbackId, isSynced } = around;
  const name = parts.at(-1) ?? "";
  const now = record.present(path);
  if (isSameFile(now, after)) return undefined;
  if (!isSameFile(now, before)) return "changed meanwhile";
  const folder = holdBelow(root, parts.slice(0, -1), after !== null);
  if (folder === undefined) return after === null ? undefined : "its folder is a link or no folder";
  try {
    if (after === null) remove(folder, name);
    else put(after, { folder, name, beside: besideName(rollbackId, path), isSynced, bytes: record.content(after.ref) });
  } catch (error) {
    return codeOf(error) ?? String(error);
  } finally {
    folder.close();
  }
  return undefined;
}

function remove(folder: HeldFolder, name: string): void {
  unlinkSync(join(folder.path, name));
}

type Putting = { folder: HeldFolder; name: string; beside: string; isSynced: boolean; bytes: Buffer | undefined };

const BESIDE_CHARS = 24;

/** The same name at each attempt: what a killed process left is found again. */
export const besideName = (rollbackId: string, path: string): string =>
  `.holdpoint-${hash("sha256", `${rollbackId}\n${path}`, "hex").slice(0, BESIDE_CHARS)}.tmp`;

function removeBeside(root: HeldFolder, parts: readonly string[], rollbackId: string): void {
  const folder = holdBelow(root, parts.slice(0, -1));
  if (folder === undefined) return;
  try {
    rmSync(join(folder.path, besideName(rollbackId, parts.join("/"))), { force: true });
  } finally {
    folder.close();
  }
}

/** Beside its place first, then moved over it: nobody sees half a file, and no link is written through. */
function put(entry: Entry, { folder, name, beside: besideIt, isSynced, bytes }: Putting): void {
  const beside = join(folder.path, besideIt);
  const target = linkTarget(entry.ref);
  try {
    if (target !== undefined) symlinkSync(target, beside);
    else if (bytes === undefined) throw new Error("its content is not kept");
    else writeFile(beside, bytes, isSynced);
    if (target === undefined) chmodSync(beside, permissionsOf(entry));
    renameSync(beside, join(folder.path, name));
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function writeFile(path: string, bytes: Buffer, isSynced: boolean): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    if (isSynced) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Folders that hold nothing any more go with their last file. */
function removeEmpty(root: HeldFolder, names: readonly string[], stood: ReadonlySet<string>): void {
  for (let left = [...names]; left.length > 0; left = left.slice(0, -1)) {
    if (stood.has(left.join("/"))) return;
    const above = holdBelow(root, left.slice(0, -1));
    if (above === undefined) continue; // gone already, with the folder above it
    try {
      rmdirSync(join(above.path, left.at(-1) ?? ""));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") return; // it holds something, or is not ours to remove
    } finally {
      above.close();
    }
  }
}
