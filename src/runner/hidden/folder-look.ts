/**
 * What is in folders that are looked at for every command. A folder is listed again when it is another one or was changed
 * since; when it was changed a moment ago, too, because two changes within one tick of the clock leave the same time.
 */
import { type Dirent, readdirSync, statSync } from "node:fs";

/** The clocks of file systems are coarse, some by two seconds. */
const TICK_MS = 2_100;
const REMEMBERED_MAX = 4_096;

/** Which folder it is, and when its state was changed: nobody sets that time back. */
export type FolderMark = { dev: bigint; ino: bigint; ctimeNs: bigint };

/** What is asked of the system, so that a test can stand for one. */
export type FolderFacts = {
  /** Undefined where there is no such folder. */
  mark(path: string): FolderMark | undefined;
  entries(path: string): readonly Dirent[];
  nowMs(): number;
};

export type FolderLook<Found> = (path: string) => Found | undefined;

/** `read` says what matters of the entries of a folder. */
export function createFolderLook<Found>(
  read: (entries: readonly Dirent[], folder: string) => Found,
  facts: FolderFacts = ofThisMachine,
): FolderLook<Found> {
  const known = new Map<string, FolderMark & { found: Found }>();
  return (path) => {
    const mark = facts.mark(path);
    if (mark === undefined) return undefined;
    const { dev, ino, ctimeNs } = mark;
    const before = known.get(path);
    if (before?.ctimeNs === ctimeNs && before.ino === ino && before.dev === dev) return before.found;
    const isSettled = facts.nowMs() - Number(ctimeNs / 1_000_000n) > TICK_MS; // before it is listed
    const found = read(facts.entries(path), path);
    if (known.size >= REMEMBERED_MAX) known.clear();
    if (isSettled) known.set(path, { dev, ino, ctimeNs, found });
    else known.delete(path);
    return found;
  };
}

const ofThisMachine: FolderFacts = {
  mark(path) {
    try {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      return found?.isDirectory() === true ? found : undefined;
    } catch {
      return undefined; // out of reach for the gateway, and so for what it starts
    }
  },
  entries(path) {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch {
      return [];
    }
  },
  nowMs: Date.now,
};
