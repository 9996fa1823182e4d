/** Which processes of a tree hold something of a folder open for writing: they keep it from being held. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

const WRITES = 0o3; // O_WRONLY or O_RDWR, in the flags of a descriptor

/** Every process below this one, itself included. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isSafeInteger(pid)) continue;
    const parent = parentOf(pid);
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), pid]);
  }
  const found = [root];
  for (const pid of found) found.push(...(parents.get(pid) ?? []));
  return found;
}

/** The name of a program may hold anything, so the fields are counted from behind it. */
function parentOf(pid: number): number | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return text === "" ? undefined : Number(fields[1]);
}

export const busyWriters = (root: number, folder: string): number[] =>
  processTree(root).filter((pid) => holdsFile(pid, folder) || mapsFile(pid, folder));

function holdsFile(pid: number, folder: string): boolean {
  return namesIn(`/proc/${pid}/fd`).some((descriptor) => {
    if (!isInside(targetOf(`/proc/${pid}/fd/${descriptor}`), folder)) return false;
    const flags = /^flags:\s*(?<octal>[0-7]+)/m.exec(textOf(`/proc/${pid}/fdinfo/${descriptor}`))?.groups?.["octal"];
    return (Number.parseInt(flags ?? "2", 8) & WRITES) !== 0;
  });
}

const mapsFile = (pid: number, folder: string): boolean =>
  textOf(`/proc/${pid}/maps`)
    .split("\n")
    .some((line) => / \S?w\Ss /.test(line) && isInside(line.slice(line.indexOf("/")), folder));

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(join(folder, "/"));

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // it has ended
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}
