/** The hook program and its launcher in the state folder: made by an install, made anew when a newer version starts. */
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../config/atomic-write.ts";
import { HOOK_PROGRAM, hookLauncher } from "../../external/hooks/hook-program.ts";

const OWNER_MAY_RUN = 0o700;

export const hookFolder = (home: string): string => join(home, "hooks");
export const launcherFile = (home: string): string => join(hookFolder(home), "holdpoint-hook");
const programFile = (home: string): string => join(hookFolder(home), "hook.cjs");

const filesOf = (home: string): [string, string][] => [
  [programFile(home), HOOK_PROGRAM],
  [launcherFile(home), hookLauncher({ node: process.execPath, program: programFile(home) })],
];

export async function writeHookFiles(home: string): Promise<void> {
  await mkdir(hookFolder(home), { recursive: true, mode: OWNER_MAY_RUN });
  for (const [file, text] of filesOf(home)) {
    if ((await textOf(file)) !== text) await writeAtomically(file, text);
  }
  await chmod(launcherFile(home), OWNER_MAY_RUN);
}

/** What is wrong with them. */
export async function hookFileProblems(home: string): Promise<string[]> {
  const found = await Promise.all(filesOf(home).map(async ([file, text]) => [file, text, await textOf(file)] as const));
  return found.flatMap(([file, text, now]) => {
    if (now === undefined) return `${file} is missing`;
    return now === text ? [] : `${file} is not what this version installs`;
  });
}

const textOf = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(() => undefined);
