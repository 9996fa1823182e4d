/** What a program wrote to the files of one folder, in order, with every sync: recorded by strace. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** One line for each acknowledged commit; it is no part of the disk that loses power. */
export const ACKS_FILE = "acknowledged";

export type RecordedOp =
  | { op: "write"; file: string; offset: number; bytes: Buffer }
  | { op: "truncate"; file: string; size: number }
  | { op: "create" | "remove" | "sync"; file: string }
  | { op: "sync-folder" }
  | { op: "acknowledged"; key: string };

const CALLS = "openat,open,pwrite64,write,fsync,fdatasync,ftruncate,unlink,unlinkat";
const TRACE_BYTES_MAX = 1_048_576;

export function recordWrites(program: readonly string[], { folder, trace }: { folder: string; trace: string }) {
  const options = ["-f", "-qq", "-y", "-xx", "-s", String(TRACE_BYTES_MAX), "-e", `trace=${CALLS}`, "-o", trace];
  const { status, stderr } = spawnSync("strace", [...options, ...program], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the recorded program failed: ${stderr}`);
  return opsIn(readFileSync(trace, "utf8"), folder);
}

/** A write counts from its beginning, a sync only when it has ended. */
export function opsIn(trace: string, folder: string): RecordedOp[] {
  const begun = new Map<string, string>();
  const known = new Set<string>();
  return trace.split("\n").flatMap((line) => {
    const [, pid = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
    if (resumed !== undefined) {
      const first = begun.get(pid) ?? "";
      begun.delete(pid);
      return isSync(first) ? opOf(first + resumed, folder, known) : [];
    }
    const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(rest)?.[1];
    if (unfinished !== undefined) begun.set(pid, unfinished);
    const call = unfinished ?? rest;
    return unfinished !== undefined && isSync(call) ? [] : opOf(call, folder, known);
  });
}

const isSync = (call: string): boolean => call.startsWith("fsync(") || call.startsWith("fdatasync(");

function opOf(call: string, folder: string, known: Set<string>): RecordedOp[] {
  const [, name = "", args = ""] = /^(\w+)\((.*)$/s.exec(call) ?? [];
  if (/ = -1 /.test(call.slice(-200))) return [];
  const path = text(/^\d+<((?:\\x..)*)>/.exec(args)?.[1] ?? "");
  if (name === "openat" || name === "open") return opened(args, folder, known);
  if (name === "unlink" || name === "unlinkat") {
    const file = fileIn(folder, text(/"((?:\\x..)*)"/.exec(args)?.[1] ?? ""));
    if (file === undefined) return [];
    known.delete(file);
    return [{ op: "remove", file }];
  }
  if (path === folder && isSync(call)) return [{ op: "sync-folder" }];
  const file = fileIn(folder, path);
  return file === undefined ? [] : onFile(name, args, file);
}

function onFile(name: string, args: string, file: string): RecordedOp[] {
  if (name === "fsync" || name === "fdatasync") return [{ op: "sync", file }];
  if (name === "ftruncate") return [{ op: "truncate", file, size: Number(/, (\d+)/.exec(args)?.[1]) }];
  const [, hex = "", , offset = "0"] = /"((?:\\x..)*)", (\d+)(?:, (\d+))?/.exec(args) ?? [];
  const bytes = bytesOf(hex);
  if (file === ACKS_FILE) return [{ op: "acknowledged", key: bytes.toString().trim() }];
  return name === "pwrite64" ? [{ op: "write", file, offset: Number(offset), bytes }] : [];
}

/** Opening makes the file where it was not there. */
function opened(args: string, folder: string, known: Set<string>): RecordedOp[] {
  const file = fileIn(folder, text(/"((?:\\x..)*)"/.exec(args)?.[1] ?? ""));
  if (file === undefined || file === ACKS_FILE || known.has(file) || !args.includes("O_CREAT")) return [];
  known.add(file);
  return [{ op: "create", file }];
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll("\\x", ""), "hex");
const text = (hex: string): string => bytesOf(hex).toString();

/** SQLite makes the index of the log anew, so it is no part of what is kept. */
function fileIn(folder: string, path: string): string | undefined {
  const name = basename(path);
  return path === join(folder, name) && !name.endsWith("-shm") ? name : undefined;
}
