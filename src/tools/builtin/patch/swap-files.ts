/**
 * Several files changed together: all of them, or none.
 *
 *   stage every new text beside its place ──▶ keep the old file under another name ──▶ put the new one in its place
 *        └──failure──▶ nothing has happened          └──failure──▶ what was swapped is swapped back
 */
import { randomBytes } from "node:crypto";
import { copyFile, link, open, chmod, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pinFolder } from "../pinned-folder.ts";
import { codeOf } from "../workspace-path.ts";
import { keepOwner, reasonOf } from "../text-file.ts";

const NEW_FILE_MODE = 0o666; // the process's umask is applied

/** `text` undefined: the file goes away. `isNew`: nothing stands in its place yet. */
export type Swap = {
  path: string;
  shown: string;
  text: string | undefined;
  mode: number | undefined;
  isNew: boolean;
};

/** `at` is where the file is reached through its pinned folder; `shown` says which one it is. */
type Staged = Swap & { at: string; beside: string | undefined; kept: string };

export async function swapFiles(swaps: readonly Swap[]): Promise<{ ok: true } | { ok: false; error: string }> {
  await using folders = new AsyncDisposableStack();
  const staged: Staged[] = [];
  const swapped: Staged[] = [];
  let current = "";
  try {
    for (const swap of swaps) {
      current = swap.shown;
      const folder = folders.use(await pinFolder(dirname(swap.path)));
      staged.push(await stage(swap, folder.path));
    }
    for (const swap of staged) {
      current = swap.shown;
      await keep(swap);
      swapped.push(swap); // from here on it is undone, whether or not the new file got to its place
      if (swap.beside === undefined) await rm(swap.at);
      else await rename(swap.beside, swap.at);
    }
    return { ok: true };
  } catch (error) {
    const stuck = await undo(swapped);
    const left = stuck.length === 0 ? "Nothing was changed." : `Could not be put back: ${stuck.join(", ")}.`;
    return { ok: false, error: `${current} could not be changed: ${reasonOf(error)}. ${left}` };
  } finally {
    await Promise.all(staged.flatMap(({ beside, kept }) => [beside, kept]).map(clear));
  }
}

const besideOf = (at: string): string =>
  join(dirname(at), `.${basename(at).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);

async function stage(swap: Swap, folder: string): Promise<Staged> {
  const at = join(folder, basename(swap.path));
  const kept = besideOf(at);
  if (swap.text === undefined) return { ...swap, at, beside: undefined, kept };
  const beside = besideOf(at);
  try {
    await using handle = await open(beside, "wx", swap.mode ?? NEW_FILE_MODE);
    await handle.writeFile(swap.text);
    if (!swap.isNew) await keepOwner(handle, at);
    await handle.sync();
  } catch (error) {
    await clear(beside);
    throw error;
  }
  if (swap.mode !== undefined) await chmod(beside, swap.mode);
  return { ...swap, at, beside, kept };
}

/** A second name for the old file, or a copy where the file system has no second names. */
async function keep({ at, kept, isNew }: Staged): Promise<void> {
  if (isNew) return;
  await link(at, kept).catch(async (error: unknown) => {
    if (codeOf(error) === "ENOENT") throw error;
    await copyFile(at, kept);
  });
}

async function undo(swapped: readonly Staged[]): Promise<string[]> {
  const stuck: string[] = [];
  for (const { at, kept, isNew, shown } of swapped.toReversed()) {
    try {
      if (isNew) await rm(at, { force: true });
      else await rename(kept, at);
    } catch {
      stuck.push(shown);
    }
  }
  return stuck;
}

async function clear(path: string | undefined): Promise<void> {
  if (path !== undefined) await rm(path, { force: true }).catch(() => undefined); // a leftover does no harm
}
