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
  /** The folders in which the programs work that hold these sockets, which were bound by relative names. */
  foldersOf(sockets: readonly BoundSocket[]): readonly string[];
  isSocket(path: string): boolean;
  /** Whether there is nothing but sockets in it. */
  holdsOnlySockets(folder: string): boolean;
};

export type BoundSocket = { inode: string; name: string };

export class TooManySockets extends Error {}

export function boundSockets(facts: SocketFacts = ofThisMachine): string[] {
  const rows = rowsOf(facts.table() ?? "").flatMap(rowOf);
  const relative = rows.filter(({ name }) => !name.startsWith("/"));
  const folders = relative.length === 0 ? [] : facts.foldersOf(relative);
  const named = folders.flatMap((folder) => relative.map(({ name }) => join(folder, name))).filter(facts.isSocket);
  const paths = [...rows.map(({ name }) => name).filter((name) => name.startsWith("/")), ...named];
  const outside = [...new Set(paths)].filter((path) => !/^\/(?:var\/)?run\//.test(path)); // hidden as a whole
  const places = [...new Set(outside.map((path) => placeOf(path, facts)))];
  if (places.length > SOCKETS_MAX)
    throw new TooManySockets(`Programs of this machine listen on ${places.length} sockets, more than can be hidden.`);
  return places;
}

/** Abstract names begin with @ and are no files. */
function rowOf(line: string): BoundSocket[] {
  const [, inode = "", name = ""] = /^[0-9a-f]+: (?:[0-9A-F]+ ){5} *(\d+) ([^@].*)$/s.exec(line) ?? [];
  return name === "" ? [] : [{ inode, name }];
}

function placeOf(path: string, { holdsOnlySockets }: SocketFacts): string {
  const folder = dirname(path);
  return folder !== "/" && holdsOnlySockets(folder) ? folder : path;
}

const isSocket = (path: string): boolean => tried(() => lstatSync(path).isSocket()) === true;

/** What is asked about processes, so that a test can stand for them. */
export type ProcessFacts = {
  processes(): readonly string[];
  /** Which of these sockets a process has open. */
  held(pid: string, inodes: ReadonlySet<string>): readonly string[];
  workingFolder(pid: string): string | undefined;
  isSocket(path: string): boolean;
};

const keyOf = ({ inode, name }: BoundSocket): string => `${inode} ${name}`;

/**
 * Whoever holds a socket is found by looking at every descriptor of every process, which takes milliseconds. Once the socket itself
 * was found, where it was bound, it stays there: from then on its holders are only asked where they work now. One that was not found
 * is looked for at each command.
 */
export function createHolders({ processes, held, workingFolder, isSocket: isThere }: ProcessFacts) {
  const known = new Map<string, { holders: readonly string[]; folders: Set<string> }>();
  const isFound = (socket: BoundSocket): boolean =>
    [...(known.get(keyOf(socket))?.folders ?? [])].some((folder) => isThere(join(folder, socket.name)));

  function search(sockets: readonly BoundSocket[]): void {
    const inodes = new Set(sockets.map(({ inode }) => inode));
    const pairs = processes().flatMap((pid) => held(pid, inodes).map((inode) => ({ pid, inode })));
    for (const socket of sockets) {
      const holders = pairs.filter(({ inode }) => inode === socket.inode).map(({ pid }) => pid);
      known.set(keyOf(socket), { holders, folders: new Set() });
    }
  }
  return (sockets: readonly BoundSocket[]): string[] => {
    const bound = new Set(sockets.map(keyOf));
    for (const key of known.keys()) if (!bound.has(key)) known.delete(key);
    const unknown = sockets.filter((socket) => !isFound(socket));
    if (unknown.length > 0) search(unknown);
    for (const { holders, folders } of known.values())
      for (const folder of holders.flatMap((pid) => workingFolder(pid) ?? [])) folders.add(folder);
    return [...new Set([...known.values()].flatMap(({ folders }) => [...folders]))];
  };
}

const ofThisMachine: SocketFacts = {
  table: () => tried(() => readFileSync("/proc/net/unix", "utf8")),
  foldersOf: createHolders({
    processes: () => (tried(() => readdirSync("/proc")) ?? []).filter(isNumber).slice(0, PROCESSES_MAX),
    held: heldBy,
    workingFolder: (pid) => tried(() => readlinkSync(`/proc/${pid}/cwd`)),
    isSocket,
  }),
  isSocket,
  holdsOnlySockets(folder) {
    const entries = tried(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    return entries.length > 0 && entries.length <= FOLDER_ENTRIES_MAX && entries.every((entry) => entry.isSocket());
  },
};

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

/** Those of others cannot be looked at, and their sockets are named from where nobody knows. */
function heldBy(pid: string, inodes: ReadonlySet<string>): string[] {
  const descriptors = tried(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return descriptors.flatMap((name) => {
    const [, inode = ""] = /^socket:\[(\d+)\]$/.exec(tried(() => readlinkSync(`/proc/${pid}/fd/${name}`)) ?? "") ?? [];
    return inodes.has(inode) ? [inode] : [];
  });
}

/** Undefined where the system does not have it or does not say. */
function tried<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
