/** Creates a text file in the workspace or replaces the whole of one. */
import type { ToolOutput } from "../../../plugins/tool.ts";
import { readTextFile, writeTextFile } from "../text-file.ts";
import { locate } from "../workspace-path.ts";
import type { WriteArgs } from "../write.ts";
import type { FilePlace } from "./file-place.ts";

export async function writeFile(args: WriteArgs, place: FilePlace): Promise<ToolOutput> {
  const located = await locate(args.path, place);
  if (!located.ok) return { status: "error", content: located.error };
  const { path, shown } = located;
  const before = await readTextFile(path, shown);
  if (!before.ok && !before.missing) return { status: "error", content: before.error };
  const stale = isStale(args.expectedHash, before.ok ? before.file.hash : undefined);
  if (stale) return { status: "error", content: staleMessage(shown) };
  if (place.signal.aborted) return { status: "error", content: "Stopped before anything was written." };
  const written = await writeTextFile(path, args.content, before.ok ? before.file.mode : undefined);
  if (!written.ok) return { status: "error", content: `${shown} ${written.error}` };
  return { status: "ok", content: { path: shown, created: !before.ok, hash: written.hash } };
}

export const isStale = (expected: string | undefined, now: string | undefined): boolean =>
  expected !== undefined && expected !== now;

export const staleMessage = (shown: string): string =>
  `${shown} is not what it was when you read it; nothing was written. Read it again and decide anew.`;
