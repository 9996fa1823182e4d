/** Ways to make a disk misbehave, and whether this machine offers them. Each says why it does not. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const COMPILER = process.env["CC"] ?? "cc";
const TRACER = "strace";

export type Offered = { reason?: string };

function tried(command: string, args: readonly string[], reason: string): Offered {
  if (process.platform !== "linux") return { reason: "needs Linux" };
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return {};
  } catch {
    return { reason };
  }
}

export const smallDisk = (): Offered =>
  tried(
    "unshare",
    ["-m", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"],
    "needs root and unshare to mount a small disk",
  );
export const compiler = (): Offered => tried(COMPILER, ["--version"], "needs a C compiler for the slow fsync");
export const tracer = (): Offered =>
  tried(TRACER, ["-f", "-o", "/dev/null", "-e", "trace=none", "true"], "needs strace and the right to use it");

/** Runs a program with a small disk of its own at `path`; nobody else sees it. */
export const onSmallDisk = (path: string, mebibytes: number): string[] => [
  "unshare",
  "-m",
  "sh",
  "-c",
  `mount -t tmpfs -o size=${mebibytes}m,mode=700 tmpfs "$0" && exec "$@"`,
  path,
];

const CHUNK_BYTES = 65_536;
const CHUNKS_MAX = 16_384;

/** Fills the disk that a process sees at `path`, and gives the space back when called. */
export function fillDisk(pid: number, path: string): () => void {
  const filler = join("/proc", String(pid), "root", path, "filler");
  const file = openSync(filler, "w");
  try {
    for (let size = CHUNK_BYTES; size >= 1; size = Math.floor(size / 2)) pour(file, Buffer.alloc(size, 1));
  } finally {
    closeSync(file);
  }
  return () => rmSync(filler);
}

function pour(file: number, chunk: Buffer): void {
  try {
    for (let n = 0; n < CHUNKS_MAX; n++) writeSync(file, chunk);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}

/** Kills a running process in the very moment of its nth call of this kind from now on, before the call is carried out. */
export async function killAtCall(pid: number, at: { call: string; nth: number }): Promise<void> {
  const inject = `inject=${at.call}:signal=SIGKILL:when=${at.nth}`;
  await attached(["-f", "-o", "/dev/null", "-p", String(pid), "-e", `trace=${at.call}`, "-e", inject]);
}

async function attached(args: readonly string[]): Promise<ChildProcess> {
  const strace = spawn(TRACER, args, { stdio: ["ignore", "ignore", "pipe"] });
  const ready = Promise.withResolvers<void>();
  strace.stderr.on("data", (said: Buffer) => void (said.includes("attached") && ready.resolve()));
  strace.once("exit", () => ready.resolve());
  await ready.promise;
  return strace;
}

/** Answers every attempt of a process to write or open a file with "read-only file system", until called. */
export async function makeReadOnly(pid: number): Promise<() => Promise<void>> {
  const calls = "openat,pwrite64,write,ftruncate";
  const inject = `inject=openat,pwrite64,ftruncate:error=EROFS`;
  const strace = await attached(["-f", "-o", "/dev/null", "-p", String(pid), "-e", `trace=${calls}`, "-e", inject]);
  return async () => {
    const ended = new Promise((resolve) => strace.once("exit", resolve));
    strace.kill("SIGINT");
    await ended;
  };
}

const SLOW_FSYNC_C = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static void wait_if_slow(void) {
  const char *flag = getenv("SLOW_FSYNC_WHILE");
  const char *waits = getenv("SLOW_FSYNC_WAITS");
  const char *slow_us = getenv("SLOW_FSYNC_US");
  if (!flag || access(flag, F_OK) != 0) return;
  if (waits) close(open(waits, O_CREAT | O_WRONLY, 0600));
  if (slow_us) usleep(atoi(slow_us));
  else while (access(flag, F_OK) == 0) usleep(1000);
}
int fsync(int fd) { int (*real)(int) = dlsym(RTLD_NEXT, "fsync"); wait_if_slow(); return real(fd); }
int fdatasync(int fd) { int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync"); wait_if_slow(); return real(fd); }
`;

export type SlowFsync = {
  env: Record<string, string>;
  begin(): void;
  /** Whether an fsync has had to wait since it began. */
  isWaiting(): boolean;
  end(): void;
};

/** A library that makes each fsync of a process wait while a flag is up: so long, or until the flag is taken down. */
export function slowFsync(folder: string, slowMs?: number): SlowFsync {
  const source = join(folder, "slow-fsync.c");
  const library = join(folder, "slow-fsync.so");
  const flag = join(folder, "slow");
  const waits = join(folder, "waits");
  writeFileSync(source, SLOW_FSYNC_C);
  execFileSync(COMPILER, ["-shared", "-fPIC", "-o", library, source, "-ldl"]);
  return {
    env: {
      LD_PRELOAD: library,
      SLOW_FSYNC_WHILE: flag,
      SLOW_FSYNC_WAITS: waits,
      ...(slowMs === undefined ? {} : { SLOW_FSYNC_US: String(slowMs * 1_000) }),
    },
    begin: () => writeFileSync(flag, ""),
    isWaiting: () => existsSync(waits),
    end() {
      rmSync(flag, { force: true });
      rmSync(waits, { force: true });
    },
  };
}
