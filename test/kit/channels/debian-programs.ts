/** Servers of Debian's packages for tests: fetched and unpacked into a folder of their own, nothing is installed. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const FETCH_MS_MAX = 60_000;
const END_MS_MAX = 5_000;

export type Unpacked = { root: string; folder: string; remove(): Promise<void> };

/** A text instead: why they are not to be had here. */
export async function debianPrograms(packages: readonly string[]): Promise<Unpacked | string> {
  const folder = await mkdtemp(join(tmpdir(), "debian-"));
  const root = join(folder, "root");
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await run("apt-get", ["download", ...packages], { cwd: folder, timeout: FETCH_MS_MAX });
    const names = (await readdir(folder)).filter((name) => name.endsWith(".deb"));
    for (const name of names) await run("dpkg", ["-x", join(folder, name), root]);
    return { root, folder, remove };
  } catch (error) {
    await remove();
    return `not to be had from Debian here: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : ""}`;
  }
}

/** A port that nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

export type Program = { command: string; args: readonly string[]; env?: Record<string, string>; cwd: string };

/** Runs until `stop`; `log` is all that it wrote. */
export function startProgram({ command, args, env = {}, cwd }: Program): { log(): string; stop(): Promise<void> } {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>(
    (resolve) => void child.once("close", () => resolve()).once("error", () => resolve()),
  );
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += String(chunk)));
  return {
    log: () => log,
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), END_MS_MAX);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Whether a program can be run under the paths that it was compiled for, seen by nobody else; a text: why not. */
export async function whyNotOverlaid({ root }: Unpacked): Promise<string | undefined> {
  const mount = `mount -t overlay overlay -o "lowerdir=$0/usr:/usr" /usr`;
  return run("unshare", ["--mount", "sh", "-c", mount, root]).then(
    () => undefined,
    () => "programs of Debian cannot be laid over /usr here: that needs root and overlayfs",
  );
}
