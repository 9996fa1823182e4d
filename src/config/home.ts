/** The gateway's own folder. It comes from the environment or the person's home, never from the workspace. */
import { access, chmod, constants, mkdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { ConfigError } from "./config-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const HOME_MODE = 0o700;
const OTHERS = 0o077;

/** Where no other is named. */
export const defaultHome = (): string => join(homedir(), ".holdpoint");

/** `HOLDPOINT_HOME`, or `.holdpoint` in the person's home folder. */
export function homePath(env: Environment): string {
  const given = env["HOLDPOINT_HOME"];
  if (given === undefined || given === "") return defaultHome();
  if (!isAbsolute(given)) {
    // a relative one would depend on the folder that a command happens to be run in
    const message = `HOLDPOINT_HOME cannot be ${JSON.stringify(given)}. Give it a whole path that begins with /.`;
    throw new ConfigError([{ source: "HOLDPOINT_HOME", line: null, column: null, path: "", message }]);
  }
  return given;
}

export const configFile = (home: string): string => join(home, "config.yaml");
export const secretsFile = (home: string): string => join(home, "secrets.yaml");
export const operatorTokenFile = (home: string): string => join(home, "operator.token");
export const gatewayFile = (home: string): string => join(home, "gateway.json");

/** Makes the folder, readable by its owner alone; takes rights away from others where an older one gave them. */
export async function ensureHome(home: string): Promise<void> {
  try {
    await makeFolder(home);
    const found = await stat(home);
    if (!found.isDirectory()) throw new Error("it is a file");
    if (process.platform !== "win32" && (found.mode & OTHERS) !== 0) await chmod(home, HOME_MODE);
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The folder cannot be used (${reason}). Choose another with HOLDPOINT_HOME, or correct its rights.`;
    throw new ConfigError([{ source: home, line: null, column: null, path: "", message }], { cause });
  }
}

/** Parents first. Not by `recursive`, which never ends where a folder exists and refuses new ones with ENOENT, as /proc does. */
async function makeFolder(folder: string): Promise<void> {
  if (await exists(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  await mkdir(folder, { mode: HOME_MODE }).catch(async (error: unknown) => {
    if (!(await exists(folder))) throw error; // otherwise another start has made it in this moment
  });
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
