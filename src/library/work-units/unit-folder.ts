/**
 * The folder of work units in a workspace. A workspace may be anybody's: no part of the way may be a link, nothing that git
 * tracks is written, and what the disk refuses costs the mirror alone, so it is a value here.
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { LockError } from "../plan-store/plan-lock.ts";
import { UNITS_MAX, type UnitLostBecause, WORK_FOLDER, WorkUnit } from "../protocol/work-unit.ts";

const FOLDER_MODE = 0o755;
const FILE_MODE = 0o600;
const STATE_BYTES_MAX = 1_048_576;
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | NO_FOLLOW;

export const STATE_FILE = "state.json";
export const PLAN_FILE = "plan.md";

export class UnitLost extends Error {
  override name = "UnitLost";
  readonly because: UnitLostBecause;
  constructor(because: UnitLostBecause, why: string) {
    super(why);
    this.because = because;
  }
}

/** Each part is a real folder, and together they lie where they seem to. Made where they are missing. */
export async function workFolder(workspace: string): Promise<string> {
  let at = await realpath(workspace);
  for (const part of WORK_FOLDER) at = await realFolder(join(at, part));
  return at;
}

export async function realFolder(path: string): Promise<string> {
  await mkdir(path, { mode: FOLDER_MODE }).catch(ignoring("EEXIST"));
  if (!(await lstat(path)).isDirectory()) throw new UnitLost("refused", `${path} is no folder, or a link to one`);
  return path;
}

/** Written beside and renamed: a reader sees the old text or the new one. What is no ordinary file is left alone. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const found = await lstat(path).catch(ignoring("ENOENT"));
  if (found !== undefined && !found.isFile()) throw new UnitLost("refused", `${path} is no file, or a link to one`);
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    const handle = await open(beside, CREATE, FILE_MODE);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}

/** So that the mirrors are no part of anybody's commits, nor of what a plan is said to have changed. */
export const ignoreAll = async (folder: string): Promise<void> => {
  const path = join(folder, ".gitignore");
  if ((await lstat(path).catch(ignoring("ENOENT"))) === undefined) await replaceFile(path, "*\n");
};

/** Undefined: there is none, or it is not one of ours. */
export async function readUnit(folder: string): Promise<WorkUnit | undefined> {
  const handle = await open(join(folder, STATE_FILE), READ).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > STATE_BYTES_MAX) return undefined;
    return WorkUnit.safeParse(JSON.parse(await handle.readFile("utf8"))).data;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Those that can be read, newest first. Nothing is made where there are none. */
export async function readUnits(workspace: string): Promise<WorkUnit[]> {
  const base = await realpath(workspace).catch(() => undefined);
  if (base === undefined) return [];
  const folder = join(base, ...WORK_FOLDER);
  if ((await realpath(folder).catch(() => undefined)) !== folder) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const read = await Promise.all(
    names
      .toSorted()
      .slice(0, UNITS_MAX)
      .map((name) => readUnit(join(folder, name))),
  );
  const units = read.filter((unit, at) => unit !== undefined && unit.unit === names.toSorted()[at]);
  return units.filter((unit) => unit !== undefined).toSorted((a, b) => b.updatedAtMs - a.updatedAtMs);
}

const BECAUSE: Readonly<Record<string, UnitLostBecause>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "read_only",
  EACCES: "read_only",
  EPERM: "read_only",
  ELOOP: "refused",
  ENOTDIR: "refused",
};

export function lostBecause(error: unknown): UnitLostBecause {
  if (error instanceof UnitLost) return error.because;
  if (error instanceof LockError) return "busy";
  return BECAUSE[codeOf(error)] ?? "unwritable";
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const ignoring =
  (code: string) =>
  (error: unknown): undefined => {
    if (codeOf(error) !== code) throw error;
  };
