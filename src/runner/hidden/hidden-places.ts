/**
 * What is out of sight for whatever acts for an agent: services of the same person, other agents, browsers and, while it
 * may only read, credentials. A person shows a place again, or hides another, in the settings.
 */
import { accessSync, constants, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { boundSockets, SOCKETS_MAX, TooManySockets } from "./bound-sockets.ts";
import { credentialFiles, programFiles, recognisedFiles } from "./personal-files.ts";
import { gatewaysBehind } from "./recognised-places.ts";
import { otherSocketNames } from "./socket-names.ts";
import type { Place } from "../view.ts";

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** One of them is usually a link to the other. */
const RUN = ["/run", "/var/run"];

/** Parts of /run that programs need to start or to find a name. */
const NEEDED_OF_RUN = list(
  "/run/current-system /run/wrappers /run/opengl-driver /run/systemd/resolve /run/resolvconf /run/NetworkManager/resolv.conf",
);

export type Hiding = {
  home: string;
  /** The gateway's own folders. */
  own: readonly string[];
  /** What a person hides besides, and what a person shows again. */
  hide: readonly string[];
  show: readonly string[];
};

const isRoot = (): boolean => process.getuid?.() === 0;

const hidden = (paths: readonly string[]): Place[] => paths.map((path) => ({ path, as: "hidden" }));

/** What no list names: sockets, folders of other gateways, profiles of browsers. */
function foundHere({ home, own }: Pick<Hiding, "home" | "own">): string[] {
  const bound = boundSockets();
  const sockets = [...bound, ...otherSocketNames(bound, [home])];
  if (sockets.length > SOCKETS_MAX)
    throw new TooManySockets(`There are ${sockets.length} sockets where programs listen, more than can be hidden.`);
  return [...sockets, ...gatewaysBehind(bound), ...recognisedFiles({ home, own })];
}

/** For a process that may change things: it works as the person does, without their other programs. */
export function hiddenFromWriters({ home, own, hide, show }: Hiding): Place[] {
  const shown = new Set(show);
  const usual = [
    ...RUN,
    ...programFiles({ home }),
    ...foundHere({ home, own }),
    ...disks(),
    ...personsDevices(),
  ].filter((path) => !shown.has(path));
  return [
    ...hidden(usual),
    ...(isRoot() ? [{ path: "/sys", as: "readable" } as const, ...hidden(KERNEL_TRACES)] : []), // what root sets there takes effect outside of every view
    ...[...NEEDED_OF_RUN, ...resolvers(), ...show].map((path): Place => ({ path, as: "writable" })),
    ...hidden([...hide, ...own]),
  ];
}

/** For a process that only reads: besides, nothing that proves who the person is. */
export function hiddenFromReaders({ home, own, hide, show }: Hiding): Place[] {
  const shown = new Set(show);
  const files = [...programFiles({ home }), ...credentialFiles({ home }), ...foundHere({ home, own })];
  const usual = [...RUN, "/var/tmp", ...files].filter((path) => !shown.has(path));
  return [
    { path: "/tmp", as: "scratch" },
    ...hidden(usual),
    ...[...NEEDED_OF_RUN, ...show].map((path): Place => ({ path, as: "readable" })),
    ...hidden([...hide, ...own]),
  ];
}

/** What is recognised by what is in it, as it is now, in a folder that a process works in. */
export const recognisedWithin = (home: string, within: string): Place[] => hidden(recognisedFiles({ home, within }));

/** What proves who the person is, and what belongs to their other programs: for who works in their home folder. */
export const personalPlaces = (home: string): Place[] =>
  hidden([...programFiles({ home }), ...credentialFiles({ home })]);

/**
 * In a workspace: what tells an agent which programs to start and what it may do. Whole folders, because a file alone
 * could be moved away together with the folder that it lies in.
 */
const AGENTS_IN_WORKSPACE = list(
  ".claude .codex .gemini .qwen .opencode opencode.json opencode.jsonc .copilot .cursor .windsurf .kiro .mcp.json",
);

/** No command changes these, whatever its line says; whoever edits them does it with the file tools, in the open. */
export const keptInWorkspace = (workspace: string): Place[] =>
  AGENTS_IN_WORKSPACE.map((name) => ({ path: join(workspace, name), as: "kept" }));

/** The only folders of the machine that a program needs to start. */
const SYSTEM = new Set(list("bin sbin lib lib32 lib64 libx32 usr nix gnu dev proc sys"));
const NEEDED_OF_ETC = list("/etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/alternatives");
const SYSTEM_OF_MACOS = new Set(list("bin sbin usr System dev"));
const NEEDED_OF_MACOS = list(
  "/private/var/db/dyld /private/var/db/timezone /private/etc/localtime /private/var/select /Library/Apple",
);

/** What is asked of the system, so that a test can stand for one. */
type RootFolder = { platform: NodeJS.Platform; names: readonly string[] };

/** For a process that needs nothing but what it is shown. */
export function bareMachine(
  { platform, names }: RootFolder = { platform: process.platform, names: readdirSync("/") },
): Place[] {
  const [system, needed] = platform === "darwin" ? [SYSTEM_OF_MACOS, NEEDED_OF_MACOS] : [SYSTEM, NEEDED_OF_ETC];
  return [
    ...hidden(names.filter((name) => !system.has(name)).map((name) => join("/", name))),
    { path: "/tmp", as: "scratch" },
    ...needed.map((path): Place => ({ path, as: "readable" })),
  ];
}

/** Where names of hosts are looked up, if that is a link into /run. */
function resolvers(): string[] {
  try {
    return [realpathSync("/etc/resolv.conf")].filter((path) => path.startsWith("/run/"));
  } catch {
    return [];
  }
}

/** What passes through the kernel, of every program. */
const KERNEL_TRACES = ["/sys/kernel/debug", "/sys/kernel/tracing"];

/** By which a program reads what a person types, types in their place, answers for their security key, or reads memory. */
const PERSONS_DEVICES = /^(?:input|uinput|uhid|hidraw\d+|usbmon\d+|vcs[au]?\d*|k?mem|port)$/;

export const devicesAmong = (names: readonly string[]): string[] =>
  names.filter((name) => PERSONS_DEVICES.test(name)).map((name) => join("/dev", name));

function personsDevices(): string[] {
  try {
    return devicesAmong(readdirSync("/dev"));
  } catch {
    return [];
  }
}

/** What root reads from a disk itself is hidden nowhere. */
function disks(): string[] {
  try {
    return readdirSync("/sys/class/block")
      .map((name) => join("/dev", name.replaceAll("!", "/")))
      .filter(isReadable);
  } catch {
    return []; // not Linux
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The folders above what is hidden. A view hides what stands under a name at the moment it is built: whoever could rename a
 * folder above it, as root or where the gateway's folder lies deep, would have the next view hide something else.
 */
export const fixedAbove = (paths: readonly string[]): Place[] =>
  [...new Set(paths.flatMap(foldersAbove))].map((path) => ({ path, as: "fixed" }));

/** All of them but the root, the nearest first. */
export function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path || above === "/" ? [] : [above, ...foldersAbove(above)];
}
