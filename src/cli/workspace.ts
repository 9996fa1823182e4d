/** The folder that the agent is to work in: the one that was named, if it exists, or the current one. */
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./context.ts";

export async function workspaceFolder(
  named: string | undefined,
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
): Promise<string> {
  const folder = resolve(cwd, named ?? ".");
  const isElsewhere = (env["HOLDPOINT_URL"] ?? "") !== ""; // on that machine, which alone knows its folders
  if (isElsewhere) return folder;
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return realpath(folder); // as the gateway names it
  if (named === undefined) return folder;
  throw new CliError({
    exit: "usage",
    message: found === undefined ? `The folder ${folder} does not exist.` : `${folder} is no folder.`,
    advice: "Name the folder that the agent works in, or go there and leave --workspace out.",
    code: "USAGE",
  });
}
