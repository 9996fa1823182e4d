/** What a program wrote to the files of one folder, in order, with every sync: recorded by strace. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** One line for each acknowledged commit; it is no part of the disk that loses power. */
export const ACKS_FILE = "acks";

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
function opsIn(trace: string, folder: string): RecordedOp[] {
  const begun = new Map<string, string>();
  const place = { folder, known: new Set<string>() };
  return trace.split("\n").flatMap((line) => {
    const call = countedCall(line, begun);
    return call === undefined ? [] : opOf(call, place);
  });
}

/** The call that counts at this line of the trace, if one does. */
function countedCall(line: string, begun: Map<string, string>): string | undefined {
  const [, pid = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
  const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
  if (resumed !== undefined) {
    const first = begun.get(pid) ?? "";
    begun.delete(pid);
    return isSync(first) ? first + resumed : undefined;
  }
  const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(rest)?.[1];
  if (unfinished === undefined) return rest;
  begun.set(pid, unfinished);
  return isSync(unfinished) ? undefined : unfinished;
}

const isSync = (call: string): boolean => call.startsWith("fsync(") || call.startsWith("fdatasync(");

type Place = { folder: string; known: Set<string> };

function opOf(call: string, place: Place): RecordedOp[] {
  const [, name = "", args = ""] = /^(\w+)\((.*)$/s.exec(call) ?? [];
  if (/ = -1 /.test(call.slice(-RESULT_CHARS))) return [];
  switch (name) {
    case "openat":
    case "open":
      return opened(args, place);
    case "unlink":
    case "unlinkat":
      return removed(args, place);
    default: {
      const path = text(/^\d+<((?:\\x..)*)>/.exec(args)?.[1] ?? "");
      if (path === place.folder && isSync(call)) return [{ op: "sync-folder" }];
      const file = fileIn(place.folder, path);
      return file === undefined ? [] : onFile(name, args, file);
    }
  }
}

const RESULT_CHARS = 200;
const named = (args: string): string => text(/"((?:\\x..)*)"/.exec(args)?.[1] ?? "");

function removed(args: string, { folder, known }: Place): RecordedOp[] {
  const file = fileIn(folder, named(args));
  if (file === undefined) return [];
  known.delete(file);
  return [{ op: "remove", file }];
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
function opened(args: string, { folder, known }: Place): RecordedOp[] {
  const file = fileIn(folder, named(args));
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
