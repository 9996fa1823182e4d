/** Replaces exact pieces of text in a file of the workspace. */
import type { ToolOutput } from "../../../plugins/tool.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { EditArgs } from "../edit.ts";
import { editsOf } from "../editing/edits-of.ts";
import { type Replaced, replaceTexts } from "../editing/replace-text.ts";
import { FILE_BYTES_MAX, readTextFile, writeTextFile } from "../text-file.ts";
import { locate } from "../workspace-path.ts";
import type { FilePlace } from "./file-place.ts";
import { isStale, staleMessage } from "./write-file.ts";

export async function editFile(args: EditArgs, place: FilePlace): Promise<ToolOutput> {
  const located = await locate(args.path, place);
  if (!located.ok) return { status: "error", content: located.error };
  const { path, shown } = located;
  const before = await readTextFile(path, shown);
  if (!before.ok) return { status: "error", content: before.error };
  if (isStale(args.expectedHash, before.file.hash)) return { status: "error", content: staleMessage(shown) };
  const replaced = replaceTexts(before.file.text, editsOf(args) ?? []);
  if ("error" in replaced) return { status: "error", content: `${shown} was not changed: ${replaced.error}` };
  if (Buffer.byteLength(replaced.text) > FILE_BYTES_MAX) {
    return { status: "error", content: `${shown} was not changed: it would grow beyond ${FILE_BYTES_MAX} bytes.` };
  }
  if (place.signal.aborted) return { status: "error", content: "Stopped before anything was written." };
  const written = await writeTextFile(path, replaced.text, before.file.mode);
  if (!written.ok) return { status: "error", content: `${shown} ${written.error}` };
  return { status: "ok", content: { path: shown, ...changesOf(args, replaced.done), hash: written.hash } };
}

function changesOf({ edits }: EditArgs, done: readonly Replaced[]): JsonObject {
  if (edits !== undefined) return { edits: done.map(({ line, count }) => ({ line, count })) };
  const [{ line, count } = { line: 0, count: 0 }] = done;
  return count === 1 ? { line } : { line, count };
}
