/**
 * Folders that are hidden for what is in them, wherever a program put them: profiles of browsers, and folders of gateways.
 * One look at each folder that programs keep their files in, one at each folder in there; where a vendor keeps several
 * programs, at these too.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, type Dirent } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { createFolderLook, type FolderLook } from "./folder-look.ts";

/** Folders that are looked at for one command; what lies beyond is found by its name alone. */
const LOOKS_MAX = 1_500;
/** A vendor's folder holds its programs' folders and nothing else. */
const PROGRAMS_OF_VENDOR_MAX = 6;

type Kind = { hides: boolean; folders: readonly string[] };

const PROFILE_OF_CHROMIUM = /^(?:Default|Profile \d+|Guest Profile)$/;
/** Any of them, in browsers built like Firefox and in those of GNOME. */
const PROFILE_FILES = ["profiles.ini", "cookies.sqlite", "logins.json", "key4.db", "Login Data", "cookies.db"];
/** Any of them, in the folder of a gateway. */
const GATEWAY_FILES = ["operator.token", "gateway.lock", "revoked.jsonl"];

function kindOf(entries: readonly Dirent[], folder: string): Kind {
  const names = new Set(entries.map(({ name }) => name));
  const isChromium = names.has("Local State") && entries.some(({ name }) => PROFILE_OF_CHROMIUM.test(name));
  const isFirefox = PROFILE_FILES.some((name) => names.has(name));
  const isGateway = GATEWAY_FILES.filter((name) => names.has(name)).length > 1 || names.has("operator.token");
  const isVendor = entries.length <= PROGRAMS_OF_VENDOR_MAX && entries.every((entry) => entry.isDirectory());
  return {
    hides: isChromium || isFirefox || isGateway,
    folders: isVendor ? [...names].map((name) => join(folder, name)) : [],
  };
}

const mayHold = (entry: Dirent): boolean => entry.isDirectory() || entry.isSymbolicLink();
/** The folders in a folder, by their whole paths: joined once, for they are many. */
const inFolder: FolderLook<readonly string[]> = createFolderLook((entries, folder) =>
  entries.filter(mayHold).map(({ name }) => join(folder, name)),
);
const kindAt: FolderLook<Kind> = createFolderLook(kindOf);

/** Where programs keep what is theirs, below a home folder. */
const OF_PROGRAMS = [".config", ".local/share", ".local/state", "Library/Application Support"];
/** Where services keep what is theirs: a gateway's folder there has a name that says so. */
const OF_SERVICES = ["/opt", "/srv", "/var/lib"];
const NAMED = /[^/]*holdpoint[^/]*$/i;
/** Of a home folder itself: what is not a person's work, and what is named like a gateway's. */
const IN_HOME = /\/(?:\.[^/]*|[^/]*holdpoint[^/]*)$/i;

export type Looked = {
  /** Of the people whose files a program could read. */
  homes: readonly string[];
  /** Folders that the environment names instead of those below a home. */
  moved?: readonly string[];
  /** The folder of the gateway that looks: another one may lie beside it. */
  own?: readonly string[];
  /** Look only at what lies in there. */
  within?: string;
};

export function recognisedPlaces({ homes, moved = [], own = [], within = "/" }: Looked): string[] {
  const inside = within === "/" ? within : `${within}/`;
  const isInside = (folder: string): boolean => `${folder}/`.startsWith(inside);
  const found: string[] = [];
  let looks = 0;
  const look = (folder: string, isDeep: boolean): void => {
    looks += 1;
    const kind = looks > LOOKS_MAX ? undefined : kindAt(folder);
    if (kind?.hides === true) found.push(folder);
    else if (isDeep) for (const deeper of kind?.folders ?? []) look(deeper, false);
  };
  const below = (root: string, isWanted?: RegExp): void => {
    for (const folder of isInside(root) ? (inFolder(root) ?? []) : [])
      if (isWanted === undefined || isWanted.test(folder)) look(folder, true);
  };
  for (const home of homes) {
    for (const name of OF_PROGRAMS) below(join(home, name));
    below(home, IN_HOME);
    for (const folder of snapsIn(home, isInside)) below(folder);
    found.push(...announcedTo(home).filter(isInside));
  }
  for (const folder of moved) below(folder);
  for (const folder of OF_SERVICES) below(folder, NAMED);
  for (const folder of own) if (isFew(dirname(folder))) below(dirname(folder));
  return [...new Set(found)];
}

/** Beside a gateway's folder; among many others, as in a folder for temporary files, there is no telling. */
const SIBLINGS_MAX = 100;
const isFew = (folder: string): boolean => folder !== "/" && (inFolder(folder) ?? []).length <= SIBLINGS_MAX;

/** A running gateway listens in its folder. */
const GATEWAY_SOCKET = /\/agents\.sock(?:\.[0-9a-f]+)?$/;

/** The folders of running gateways, by the sockets that programs listen on. */
export const gatewaysBehind = (sockets: readonly string[]): string[] =>
  sockets
    .filter((path) => GATEWAY_SOCKET.test(path))
    .map((path) => dirname(path))
    .filter((folder) => kindAt(folder)?.hides === true);

/** Each keeps a home folder of its own. */
const snapsIn = (home: string, isInside: (folder: string) => boolean): string[] => {
  const folder = join(home, "snap");
  if (!isInside(folder)) return [];
  return (inFolder(folder) ?? []).flatMap((snap) =>
    ["common", "current", "current/.config"].map((part) => join(snap, part)),
  );
};

/** Below a home folder: links to the folders of the gateways that were started there. It is hidden itself. */
export const ANNOUNCED = ".local/state/holdpoint";
const linksIn = (home: string): string => join(home, ANNOUNCED, "homes");
const linkFor = (folder: string): string => createHash("sha256").update(folder).digest("hex").slice(0, 32);
const announced: FolderLook<readonly string[]> = createFolderLook((entries) => entries.map(({ name }) => name));

/** The folders themselves, free of links. */
function announcedTo(home: string): string[] {
  const links = linksIn(home);
  return (announced(links) ?? []).flatMap((name) => tried(() => realpathSync.native(join(links, name))) ?? []);
}

/** So that other gateways of this person hide this one's folder, also when it does not run. Those that are gone are forgotten. */
export function announceGateway(folder: string, home: string = personsHome()): void {
  const links = linksIn(home);
  tried(() => mkdirSync(links, { recursive: true, mode: 0o700 }));
  for (const name of tried(() => readdirSync(links)) ?? [])
    if (!existsSync(join(links, name))) tried(() => rmSync(join(links, name), { force: true }));
  tried(() => symlinkSync(folder, join(links, linkFor(folder)))); // it may be there already, or the home closed to writing
}

/** By the system's own table: HOME may be another one for each gateway. */
const personsHome = (): string => tried(() => userInfo().homedir) ?? homedir();

function tried<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
