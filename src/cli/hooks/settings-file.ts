/**
 * Reads and changes a settings file of another program without harm: whatever is odd about it is refused before anything
 * is written, and a change that somebody else made in between is not lost.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CliError } from "../cli-error.ts";
import { JsonObject } from "../../protocol/json.ts";

const FILE_BYTES_MAX = 4 * 1_048_576;
const TRIES_MAX = 5;
const USUAL_MODE = 0o600;

/** `text` is undefined where there is no file. */
export type ReadSettings = { text: string | undefined; mode: number };

export async function readSettings(file: string): Promise<ReadSettings> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return { text: undefined, mode: USUAL_MODE };
  if (found.isSymbolicLink())
    throw odd(file, "it is a link", "Change the file that it leads to yourself, or replace the link.");
  if (!found.isFile()) throw odd(file, "it is no file", "Move it away.");
  if (found.size > FILE_BYTES_MAX) throw odd(file, "it is larger than any settings file", "Look at it.");
  return { text: await readFile(file, "utf8"), mode: found.mode & 0o777 };
}

export function parseSettings(file: string, text: string | undefined): JsonObject {
  if (text === undefined || text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw odd(
      file,
      `it is no plain JSON: half written, or with comments, which would be lost (${why})`,
      "Repair it, and run this again.",
    );
  }
  const parsed = JsonObject.safeParse(value);
  if (!parsed.success) throw odd(file, "it holds no JSON object", "Repair it, and run this again.");
  return parsed.data;
}

/** Applies the change to what is there; undefined removes the file. */
export async function changeSettings(
  file: string,
  change: (text: string | undefined) => string | undefined,
): Promise<"changed" | "same"> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = await readSettings(file);
    const text = change(before.text);
    if (text === before.text) return "same";
    await refuseReadOnly(file, before);
    if (await replaced(file, { before, text })) return "changed";
  }
  throw odd(file, "another program keeps changing it", "Close that program, and run this again.");
}

async function refuseReadOnly(file: string, { text }: ReadSettings): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw odd(file, `its folder cannot be made (${String(cause)})`, "Correct the rights of the folder above.");
  });
  const asked = [access(dirname(file), constants.W_OK), ...(text === undefined ? [] : [access(file, constants.W_OK)])];
  const isFree = (await Promise.allSettled(asked)).every(({ status }) => status === "fulfilled");
  const isKept = text !== undefined && ((await lstat(file)).mode & 0o200) === 0; // root may write, and should not
  if (!isFree || isKept) throw odd(file, "it is read-only", "Make it writable, and run this again.");
}

async function replaced(
  file: string,
  { before, text }: { before: ReadSettings; text: string | undefined },
): Promise<boolean> {
  const isSame = async (): Promise<boolean> => (await readSettings(file)).text === before.text;
  if (text === undefined) {
    if (!(await isSame())) return false;
    await rm(file);
    return true;
  }
  const temporary = join(dirname(file), `.holdpoint-${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await open(temporary, "wx", before.mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(temporary, before.mode);
    if (!(await isSame())) return false;
    await rename(temporary, file);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

export const odd = (file: string, why: string, advice: string): CliError =>
  new CliError({ exit: "failed", message: `${file} was not changed: ${why}.`, advice, code: "SETTINGS_ODD" });
