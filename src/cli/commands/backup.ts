/** `holdpoint backup`: writes a copy of the store, through the running gateway or directly when none runs. */
import { constants, copyFile, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Environment, homePath } from "../../config/home.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { onlineOrOffline } from "../offline-store.ts";

export async function backup(file: string | undefined, { output, env, cwd }: CommandContext): Promise<void> {
  const path = file === undefined ? join(homePath(env), "backups", nameNow()) : resolve(cwd, file);
  if (await exists(path)) throw taken(path);
  const made = await onlineOrOffline(env, {
    online: async (link) => {
      if (file === undefined) return link.call("backup.create", {});
      if (isElsewhere(env)) return link.call("backup.create", { path });
      await makeFolder(path);
      return moved(await link.call("backup.create", {}), path);
    },
    offline: async (store) => {
      await makeFolder(path);
      return { path, ...(await store.backup(path)) };
    },
  });
  output.document(made);
  output.lines([`Wrote ${made.path} (${made.bytes} bytes). It holds everything: keep it as safe as the store itself.`]);
}

/** The gateway writes into its own folder only; whoever runs this may write elsewhere. */
async function moved({ path: from, bytes }: { path: string; bytes: number }, to: string) {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await rm(from);
  return { path: to, bytes };
}

const nameNow = (): string => `holdpoint-${new Date().toISOString().replaceAll(":", "-")}.db`;

/** On another machine a path of this one means nothing. */
const isElsewhere = (env: Environment): boolean => (env["HOLDPOINT_URL"] ?? "") !== "";

const makeFolder = (path: string): Promise<unknown> => mkdir(dirname(path), { recursive: true, mode: 0o700 });

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const taken = (path: string): CliError =>
  new CliError({
    exit: "failed",
    message: `${path} exists already.`,
    advice: "Name another file; nothing is overwritten.",
    code: "FILE_EXISTS",
  });
