/** `holdpoint update`: which version is installed, which is the newest that npm's registry has, and how to get it. Installs nothing. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../../gateway/version.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { isNewer, isVersion } from "./version-order.ts";

const PACKAGE = "holdpoint";
const ASK_MS_MAX = 30_000;
const ANSWER_BYTES_MAX = 65_536;
/** The folder that holds package.json. */
const ROOT = join(fileURLToPath(new URL("../../../package.json", import.meta.url)), "..");

export type UpdateOptions = { check?: true };

export async function update({ check }: UpdateOptions, { output, env }: CommandContext): Promise<number> {
  const newest = await newestVersion(env);
  const isOutdated = isNewer(newest, VERSION);
  const command = commandFor(newest);
  output.document({ installed: VERSION, newest, outdated: isOutdated, ...(isOutdated ? { command } : {}) });
  output.lines(
    isOutdated
      ? [
          `Installed: ${VERSION}. Newest: ${newest}.`,
          `Update with: ${command}`,
          "Make a copy first (holdpoint backup), and start the gateway again afterwards.",
        ]
      : [`Installed: ${VERSION}. There is nothing newer (newest: ${newest}).`],
  );
  return isOutdated && check === true ? EXIT_CODES.outdated.code : EXIT_CODES.ok.code;
}

/** npm itself is asked: it knows the registry, its key and the way out. Not in this folder, whose .npmrc a project may have written. */
function newestVersion(env: NodeJS.ProcessEnv): Promise<string> {
  const args = ["view", PACKAGE, "dist-tags.latest", "--json"];
  const options = {
    cwd: homedir(),
    env: { ...env, npm_config_update_notifier: "false" },
    timeout: ASK_MS_MAX,
    maxBuffer: ANSWER_BYTES_MAX,
    shell: process.platform === "win32", // npm is a script there
  };
  return new Promise((resolve, reject) => {
    execFile("npm", args, options, (error, out) => {
      const version = error === null ? versionIn(out) : undefined;
      if (version !== undefined) resolve(version);
      else reject(unanswered(error));
    });
  });
}

function versionIn(answer: string): string | undefined {
  const version = /^\s*"([^"\n]{1,60})"\s*$/.exec(answer)?.[1];
  return version !== undefined && isVersion(version) ? version : undefined;
}

function unanswered(error: (Error & { code?: unknown }) | null): CliError {
  const isMissing = error?.code === "ENOENT";
  return new CliError({
    exit: "failed",
    message: isMissing
      ? "npm is not installed, so its registry cannot be asked."
      : `npm's registry does not say which version of ${PACKAGE} is the newest.`,
    advice: isMissing ? "" : `Installed is ${VERSION}. See why with: npm view ${PACKAGE} version`,
    code: "NEWEST_UNKNOWN",
    cause: error,
  });
}

/** By where this program lies: a clone, a package that npx fetched, one of a project, or one for the whole machine. */
function commandFor(version: string): string {
  if (existsSync(join(ROOT, ".git"))) return "git pull && npm ci";
  if (ROOT.includes(`${sep}_npx${sep}`)) return `npx ${PACKAGE}@${version} start`;
  const isOfProject = existsSync(join(ROOT, "..", "..", "package.json"));
  return isOfProject ? `npm install ${PACKAGE}@${version}` : `npm install --global ${PACKAGE}@${version}`;
}
