/**
 * Names of listening sockets that the system does not list. It lists the name that a socket was bound by: one that was renamed
 * since, as programs do that replace each other, is found among the sockets of that folder and of those around it; one that
 * has several names, by its number. What lies elsewhere on the disk is not found.
 */
import { type Dirent, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFolderLook } from "./folder-look.ts";

/** Folders that are looked at for one command. */
const LOOKS_MAX = 400;
/** Folders beside the one that a socket was bound in; among more there is no telling. */
const AROUND_MAX = 100;
const USUAL = ["/tmp", "/var/tmp", "/dev/shm"];

/** Begins with the address of the socket in the kernel, or zeros. */
const ROW = /^(?:Num +RefCount|[0-9a-f]{8,16}: )/;

/** A line break in a name breaks the line of the table, too. */
export function rowsOf(table: string): string[] {
  const rows: string[] = [];
  for (const line of table.replace(/\n$/, "").split("\n")) {
    if (ROW.test(line) || rows.length === 0) rows.push(line);
    else rows.push(`${rows.pop() ?? ""}\n${line}`);
  }
  return rows;
}

const isFolder = (entry: Dirent): boolean => entry.isDirectory();
const isSocket = (entry: Dirent): boolean => entry.isSocket();

const lookedAt = createFolderLook((entries, folder) => ({
  sockets: entries.filter(isSocket).map(({ name }) => join(folder, name)),
  folders: entries.filter(isFolder).map(({ name }) => join(folder, name)),
}));

/** `bound`: the names by which they were bound. `homes`: of the people whose programs they may be. */
export function otherSocketNames(bound: readonly string[], homes: readonly string[]): string[] {
  const found = new Set<string>();
  const looked = new Set<string>();
  const socketsIn = (folder: string): readonly string[] => {
    if (looked.size >= LOOKS_MAX) return [];
    looked.add(folder);
    return lookedAt(folder)?.sockets ?? [];
  };
  for (const path of bound) {
    const seen = numberOf(path);
    if (seen === "folder" || seen?.names === 1) continue;
    const around = [dirname(path), ...foldersAround(dirname(path)), ...homes, ...USUAL];
    for (const other of around.flatMap(socketsIn))
      if (seen === undefined || isSame(numberOf(other), seen)) found.add(other);
  }
  return [...found].filter((path) => !bound.includes(path));
}

type Numbered = { dev: number; ino: number; names: number };

/** Undefined where there is nothing of that name; a folder is hidden as a whole. */
function numberOf(path: string): Numbered | "folder" | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return "folder";
    return found === undefined ? undefined : { dev: found.dev, ino: found.ino, names: found.nlink };
  } catch {
    return undefined;
  }
}

const isSame = (one: ReturnType<typeof numberOf>, other: Numbered): boolean =>
  typeof one === "object" && one.ino === other.ino && one.dev === other.dev;

function foldersAround(folder: string): readonly string[] {
  const above = dirname(folder);
  const beside = above === "/" ? [] : (lookedAt(above)?.folders ?? []);
  const below = lookedAt(folder)?.folders ?? [];
  return [...(beside.length > AROUND_MAX ? [] : beside), ...(below.length > AROUND_MAX ? [] : below), above];
}
