/** Changes several files of the workspace at once, all of them or none. */
import { basename, dirname, join } from "node:path";
import type { ToolOutput } from "../../../plugins/tool.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { PatchArgs } from "../apply-patch.ts";
import { applyHunks } from "../patch/apply-hunks.ts";
import { type Change, parsePatch } from "../patch/parse-patch.ts";
import { type Swap, swapFiles } from "../patch/swap-files.ts";
import { FILE_BYTES_MAX, hashOf, readTextFile } from "../text-file.ts";
import { type Bounds, locate } from "../workspace-path.ts";
import type { FilePlace } from "./file-place.ts";

export async function patchFiles({ patch }: PatchArgs, place: FilePlace): Promise<ToolOutput> {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return notApplied(parsed.error);
  const outcome = await planned(parsed.changes, place);
  if ("error" in outcome) return notApplied(outcome.error);
  if (place.signal.aborted) return notApplied("it was stopped.");
  const changed = await changedSince(outcome.seen);
  if (changed !== undefined) return notApplied(`${changed} changed while the patch was being applied. Read it again.`);
  const swapped = await swapFiles(outcome.swaps);
  return swapped.ok ? { status: "ok", content: { files: outcome.files } } : notApplied(swapped.error);
}

const notApplied = (why: string): ToolOutput => ({ status: "error", content: `The patch was not applied: ${why}` });

type Seen = { path: string; shown: string; hash: string };
type Outcome = { swaps: Swap[]; files: JsonObject[]; seen: Seen[] };

/** The whole result is computed in memory before the first byte is written. */
async function planned(changes: readonly Change[], bounds: Bounds): Promise<Outcome | { error: string }> {
  const outcome: Outcome = { swaps: [], files: [], seen: [] };
  const touched = new Set<string>();
  for (const change of changes) {
    const step = await planOne(change, bounds);
    if ("error" in step) return step;
    for (const { path, shown } of step.swaps) {
      if (touched.has(path)) return { error: `${shown} is changed twice. Put its hunks under one marker.` };
      touched.add(path);
    }
    outcome.swaps.push(...step.swaps);
    outcome.files.push(...step.files);
    outcome.seen.push(...step.seen);
  }
  return outcome;
}

async function planOne(change: Change, bounds: Bounds): Promise<Outcome | { error: string }> {
  switch (change.kind) {
    case "add":
      return add(change, bounds);
    case "delete":
      return remove(change, bounds);
    case "update":
      return update(change, bounds);
  }
}

type ChangeOf<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

async function add({ path, lines }: ChangeOf<"add">, bounds: Bounds): Promise<Outcome | { error: string }> {
  const target = await free(path, bounds);
  if ("error" in target) return target;
  const text = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  const { shown } = target;
  return {
    swaps: [{ ...target, text, mode: undefined, isNew: true }],
    files: [{ path: shown, change: "added", hash: hashOf(text) }],
    seen: [],
  };
}

async function remove({ path }: ChangeOf<"delete">, bounds: Bounds): Promise<Outcome | { error: string }> {
  const source = await existing(path, bounds);
  if ("error" in source) return source;
  const { at, hash, mode } = source;
  return {
    swaps: [{ ...at, text: undefined, mode, isNew: false }],
    files: [{ path: at.shown, change: "deleted" }],
    seen: [{ ...at, hash }],
  };
}

async function update(change: ChangeOf<"update">, bounds: Bounds): Promise<Outcome | { error: string }> {
  const source = await existing(change.path, bounds);
  if ("error" in source) return source;
  const { at, hash, mode } = source;
  const patched = applyHunks(source.text, change.hunks);
  if ("error" in patched) return { error: `${at.shown}, ${patched.error}` };
  const { text, loose } = patched;
  if (Buffer.byteLength(text) > FILE_BYTES_MAX)
    return { error: `${at.shown} would grow beyond ${FILE_BYTES_MAX} bytes.` };
  const note = loose.length === 0 ? {} : { note: `Fitted without regard to whitespace: hunk ${loose.join(", ")}.` };
  const seen = [{ ...at, hash }];
  if (change.moveTo === undefined) {
    const file = { path: at.shown, change: "updated", hash: hashOf(text), ...note };
    return { swaps: [{ ...at, text, mode, isNew: false }], files: [file], seen };
  }
  const target = await free(change.moveTo, bounds);
  if ("error" in target) return target;
  const file = { path: target.shown, change: "moved", from: at.shown, hash: hashOf(text), ...note };
  const swaps = [
    { ...target, text, mode, isNew: true },
    { ...at, text: undefined, mode, isNew: false },
  ];
  return { swaps, files: [file], seen };
}

type At = { path: string; shown: string };

async function free(given: string, bounds: Bounds): Promise<At | { error: string }> {
  const located = await locate(given, bounds);
  if (!located.ok) return { error: located.error };
  const { path, shown } = located;
  const there = await readTextFile(path, shown);
  if (there.ok || !there.missing) return { error: `${shown} exists already; update it, or choose another path.` };
  return { path, shown };
}

type Source = { at: At; text: string; hash: string; mode: number };

async function existing(given: string, bounds: Bounds): Promise<Source | { error: string }> {
  const located = await locate(given, bounds);
  if (!located.ok) return { error: located.error };
  const { path, shown } = located;
  const folder = await locate(dirname(given), { ...bounds, confine: undefined });
  // to delete or move what a link points at would leave the link behind, pointing at nothing
  if (!folder.ok || join(folder.path, basename(given)) !== path) {
    return { error: `${given} is a symbolic link. Name the file itself: ${shown}.` };
  }
  const read = await readTextFile(path, shown);
  if (!read.ok) return { error: read.error };
  return { at: { path, shown }, ...read.file };
}

/** The first file that is no longer what the patch was worked out on. */
async function changedSince(seen: readonly Seen[]): Promise<string | undefined> {
  for (const { path, shown, hash } of seen) {
    const now = await readTextFile(path, shown);
    if (!now.ok || now.file.hash !== hash) return shown;
  }
  return undefined;
}
