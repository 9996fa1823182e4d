import { mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { homePath } from "../../config/home.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { onlineOrOffline } from "../offline-store.ts";

export async function backup(file: string | undefined, { output, env, cwd }: CommandContext): Promise<void> {
  const named = file === undefined ? undefined : resolve(cwd, file);
  if (named !== undefined && (await exists(named))) throw taken(named);
  const made = await onlineOrOffline(env, {
    online: (link) => link.call("backup.create", named === undefined ? {} : { path: named }),
    async offline(store) {
      const path =
        named ?? join(homePath(env), "backups", `holdpoint-${new Date().toISOString().replaceAll(":", "-")}.db`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return { path, ...(await store.backup(path)) };
    },
  });
  output.document(made);
  output.lines([`Wrote ${made.path} (${made.bytes} bytes). It holds everything: keep it as safe as the store itself.`]);
}

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
