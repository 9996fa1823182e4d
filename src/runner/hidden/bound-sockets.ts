/**
 * The sockets that programs listen on at this moment, as places to be hidden: by their own names, or by their folder
 * where that holds nothing else, so that one that is made there later is hidden with it.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { rowsOf } from "./socket-names.ts";

/** What a sandbox can be told to hide; beyond that nothing is started, rather than something shown. */
export const SOCKETS_MAX = 2_000;
const PROCESSES_MAX = 32_768;
const FOLDER_ENTRIES_MAX = 64;

/** What is asked of the system, so that a test can stand for one. */
export type SocketFacts = {
  /** As `/proc/net/unix` has it; undefined where there is none. */
  table(): string | undefined;
  /** The folders in which the programs work that hold these sockets. */
  foldersOf(inodes: ReadonlySet<string>): readonly string[];
  isSocket(path: string): boolean;
  /** Whether there is nothing but sockets in it. */
  holdsOnlySockets(folder: string): boolean;
};

export class TooManySockets extends Error {}

export function boundSockets(facts: SocketFacts = ofThisMachine): string[] {
  const rows = rowsOf(facts.table() ?? "").flatMap(rowOf);
  const relative = rows.filter(({ name }) => !name.startsWith("/"));
  const folders = relative.length === 0 ? [] : facts.foldersOf(new Set(relative.map(({ inode }) => inode)));
  const named = folders.flatMap((folder) => relative.map(({ name }) => join(folder, name))).filter(facts.isSocket);
  const paths = [...rows.map(({ name }) => name).filter((name) => name.startsWith("/")), ...named];
  const outside = [...new Set(paths)].filter((path) => !/^\/(?:var\/)?run\//.test(path)); // hidden as a whole
  const places = [...new Set(outside.map((path) => placeOf(path, facts)))];
  if (places.length > SOCKETS_MAX)
    throw new TooManySockets(`Programs of this machine listen on ${places.length} sockets, more than can be hidden.`);
  return places;
}

/** Abstract names begin with @ and are no files. */
function rowOf(line: string): { inode: string; name: string }[] {
  const [, inode = "", name = ""] = /^[0-9a-f]+: (?:[0-9A-F]+ ){5} *(\d+) ([^@].*)$/s.exec(line) ?? [];
  return name === "" ? [] : [{ inode, name }];
}

function placeOf(path: string, { holdsOnlySockets }: SocketFacts): string {
  const folder = dirname(path);
  return folder !== "/" && holdsOnlySockets(folder) ? folder : path;
}

const ofThisMachine: SocketFacts = {
  table: () => tried(() => readFileSync("/proc/net/unix", "utf8")),
  foldersOf: (inodes) => [...new Set(processes().flatMap((pid) => folderOf(pid, inodes)))],
  isSocket: (path) => tried(() => lstatSync(path).isSocket()) === true,
  holdsOnlySockets(folder) {
    const entries = tried(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    return entries.length > 0 && entries.length <= FOLDER_ENTRIES_MAX && entries.every((entry) => entry.isSocket());
  },
};

const processes = (): string[] => (tried(() => readdirSync("/proc")) ?? []).filter(isNumber).slice(0, PROCESSES_MAX);
const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** Those of others cannot be looked at, and their sockets are named from where nobody knows. */
function folderOf(pid: string, inodes: ReadonlySet<string>): string[] {
  const descriptors = tried(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  const holds = descriptors.some((name) => {
    const [, inode = ""] = /^socket:\[(\d+)\]$/.exec(tried(() => readlinkSync(`/proc/${pid}/fd/${name}`)) ?? "") ?? [];
    return inodes.has(inode);
  });
  const folder = holds ? tried(() => readlinkSync(`/proc/${pid}/cwd`)) : undefined;
  return folder === undefined ? [] : [folder];
}

/** Undefined where the system does not have it or does not say. */
function tried<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
