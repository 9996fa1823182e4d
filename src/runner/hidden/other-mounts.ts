/** Where else a file or folder can be seen: a device or a folder that is mounted a second time shows it under another name. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Mount = { device: string; root: string; at: string };

/** The other names of these paths, which are free of symlinks. */
export function otherNames(paths: readonly string[], table: string = ofThisProcess()): string[] {
  const mounts = table.split("\n").flatMap(mountOf);
  const devices = new Map<string, number>();
  for (const { device } of mounts) devices.set(device, (devices.get(device) ?? 0) + 1);
  const again = mounts.filter(({ device }) => (devices.get(device) ?? 0) > 1);
  if (again.length === 0) return [];
  return [...new Set(paths.flatMap((path) => namesOf(path, { mounts, again })))];
}

/** Which part of its file system a path is, as the kernel names it; undefined where no mount holds it. */
export function rootIn(table: string, path: string): string | undefined {
  const own = ownMount(path, table.split("\n").flatMap(mountOf));
  return own === undefined ? undefined : insideOf(own, path);
}

/** The last one that was mounted, of several in one place. */
const ownMount = (path: string, mounts: readonly Mount[]): Mount | undefined =>
  mounts
    .filter(({ at }) => isBelow(path, at))
    .toSorted((a, b) => a.at.length - b.at.length)
    .at(-1);

const insideOf = (own: Mount, path: string): string => joined(own.root, path.slice(own.at === "/" ? 0 : own.at.length));

function namesOf(path: string, { mounts, again }: { mounts: readonly Mount[]; again: readonly Mount[] }): string[] {
  const own = ownMount(path, mounts);
  if (own === undefined) return [];
  const inside = insideOf(own, path);
  return again
    .filter(({ device, root }) => device === own.device && isBelow(inside, root))
    .map(({ root, at }) => joined(at, inside.slice(root === "/" ? 0 : root.length)))
    .filter((name) => name !== path);
}

const isBelow = (path: string, folder: string): boolean =>
  folder === "/" || path === folder || path.startsWith(`${folder}/`);
const joined = (folder: string, rest: string): string => join(folder, rest).replace(/(?<=.)\/$/, "");

/** `36 35 98:0 /mnt1 /mnt2 rw …`: number, number of the one above, device, what of it is mounted, where. */
function mountOf(line: string): Mount[] {
  const [, , device, root, at] = line.split(" ");
  if (device === undefined || root === undefined || at === undefined) return [];
  return [{ device, root: decoded(root), at: decoded(at) }];
}

const decoded = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

function ofThisProcess(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return ""; // not Linux
  }
}
