/**
 * Writes a plan as a file of its own below the agent's folder. Created exclusively and as a whole: the text is written
 * beside it first, and its name is given by a link, which fails where the name is taken. What the disk refuses costs this
 * file alone, so it is a value here and not an error.
 */
import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import type { LostBecause } from "../protocol/library-state.ts";
import { planFileNames } from "./plan-file-name.ts";
import { nameProblem } from "./safe-name.ts";

export type Disk = Pick<
  typeof fs,
  "mkdir" | "lstat" | "realpath" | "open" | "link" | "unlink" | "readFile" | "readdir"
>;

export type PlanFile = { home: string; agentId: string; title: string; atMs: number; text: string };

/** `name` is below the agent's folder of plans. */
export type WrittenPlan = { name: string } | { lost: LostBecause; why: string };

/** What files were found to hold, by path, so that the fiftieth plan of one title does not look at all before it. */
export type FoundPlans = Map<string, { bytes: number; digest?: string }>;
const FOUND_MAX = 10_000;

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

type Around = { disk: Disk; found: FoundPlans };

export async function writePlanFile(
  file: PlanFile,
  disk: Disk = fs,
  found: FoundPlans = new Map(),
): Promise<WrittenPlan> {
  const problem = nameProblem(file.agentId);
  if (problem !== undefined) return { lost: "refused", why: `the agent's id is no safe name: ${problem}` };
  try {
    const folder = await planFolder(file, disk);
    return typeof folder === "string" ? await writeInto(folder, file, { disk, found }) : folder;
  } catch (error) {
    return lostBy(error);
  }
}

/** Each part is a real folder, and together they lie where they seem to. */
async function planFolder({ home, agentId }: PlanFile, disk: Disk): Promise<string | WrittenPlan> {
  let at = await disk.realpath(home);
  for (const part of ["agents", agentId, "plans"]) {
    at = join(at, part);
    const found = (await disk.lstat(at).catch(ignoring("ENOENT"))) ?? (await madeFolder(at, disk));
    if (!found.isDirectory()) return { lost: "refused", why: `${part} is no folder, or a link to one` };
  }
  return (await disk.realpath(at)) === at ? at : { lost: "refused", why: "the folder lies elsewhere" };
}

async function madeFolder(path: string, disk: Disk) {
  await disk.mkdir(path, { mode: FOLDER_MODE }).catch(ignoring("EEXIST"));
  return disk.lstat(path);
}

async function writeInto(folder: string, file: PlanFile, { disk, found }: Around): Promise<WrittenPlan> {
  const beside = join(folder, `.${randomUUID()}.tmp`);
  const source = { beside, text: file.text, bytes: Buffer.byteLength(file.text), digest: digestOf(file.text) };
  let there: ReadonlySet<string> | undefined;
  try {
    await writeWhole(beside, file.text, disk);
    for (const name of planFileNames(file)) {
      const path = join(folder, name);
      const isOther = holdsOther(found.get(path), source);
      if (isOther) there ??= new Set(await disk.readdir(folder)); // what somebody removed is free again
      if (isOther && there?.has(name) === true) continue;
      if (found.size >= FOUND_MAX) found.clear();
      if (await takesName(path, source, { disk, found })) return { name };
    }
    return { lost: "taken", why: "all its names are taken" };
  } finally {
    await disk.unlink(beside).catch(ignoring("ENOENT"));
  }
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

const holdsOther = (known: { bytes: number; digest?: string } | undefined, { bytes, digest }: Source): boolean =>
  known !== undefined && (known.bytes !== bytes || (known.digest !== undefined && known.digest !== digest));

async function writeWhole(path: string, text: string, disk: Disk): Promise<void> {
  const handle = await disk.open(path, CREATE, FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

type Source = { beside: string; text: string; bytes: number; digest: string };

/** A file that holds this very text was written by an attempt before: it is the one. */
async function takesName(path: string, source: Source, { disk, found }: Around): Promise<boolean> {
  const { beside, text, bytes, digest } = source;
  found.set(path, { bytes, digest });
  try {
    await disk.link(beside, path);
    return true;
  } catch (error) {
    found.delete(path);
    if (NO_LINKS.has(codeOf(error))) return createsName(path, text, disk);
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const there = await disk.lstat(path);
  if (there.isFile()) found.set(path, { bytes: there.size });
  if (!there.isFile() || there.size !== bytes) return false;
  const held = await disk.readFile(path, "utf8");
  found.set(path, { bytes, digest: digestOf(held) });
  return held === text;
}

/** Of file systems that have no links: exFAT, some network drives. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

async function createsName(path: string, text: string, disk: Disk): Promise<boolean> {
  try {
    await writeWhole(path, text, disk);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  }
}

const BECAUSE: Readonly<Record<string, LostBecause>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "read_only",
  EACCES: "read_only",
  EPERM: "read_only",
  ELOOP: "refused",
  ENOTDIR: "refused",
  EIO: "unwritable",
  ENAMETOOLONG: "unwritable",
  ENOTSUP: "unwritable",
};

/** Anything else is tried again: too many open files, say. */
function lostBy(error: unknown): WrittenPlan {
  const lost = BECAUSE[codeOf(error)];
  if (lost === undefined) throw error;
  return { lost, why: codeOf(error) };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const ignoring =
  (code: string) =>
  (error: unknown): undefined => {
    if (codeOf(error) !== code) throw error;
  };
