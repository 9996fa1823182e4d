/**
 * A view as a profile of Seatbelt, the sandbox of macOS. What no rule names is denied. Of the rules on files the last one
 * that matches counts, so the places follow in their own order: the deeper one is written later. Paths come as
 * parameters and never stand in the text: no name of a folder can become a rule.
 */
import { dirname } from "node:path";
import type { ExistingPlace } from "../hidden/existing-places.ts";
import type { View } from "../view.ts";

export type SeatbeltView = Pick<View, "rest" | "network"> & {
  places: readonly ExistingPlace[];
  /** A folder of the process's own, where the view has a scratch place: nothing can be mounted over that here. */
  scratch?: string;
  /** The folder to start in. */
  cwd: string;
};

export type SeatbeltProfile = { text: string; parameters: Readonly<Record<string, string>> };

/**
 * What a program needs to run at all, and nothing that acts for it: no key chain (com.apple.SecurityServer, securityd), no
 * Launch Services, Apple events, pasteboard or launchd. It sees and signals processes of its own sandbox only.
 */
const BASE = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow ipc-posix-sem)
(allow sysctl-read
  (sysctl-name-prefix "hw.")
  (sysctl-name-prefix "machdep.cpu.")
  (sysctl-name "kern.argmax")
  (sysctl-name "kern.hostname")
  (sysctl-name "kern.iossupportversion")
  (sysctl-name "kern.maxfiles")
  (sysctl-name "kern.maxfilesperproc")
  (sysctl-name "kern.maxproc")
  (sysctl-name "kern.ngroups")
  (sysctl-name "kern.osproductversion")
  (sysctl-name "kern.osrelease")
  (sysctl-name "kern.ostype")
  (sysctl-name "kern.osvariant_status")
  (sysctl-name "kern.osversion")
  (sysctl-name "kern.secure_kernel")
  (sysctl-name "kern.usrstack64")
  (sysctl-name "kern.version")
  (sysctl-name "sysctl.proc_cputype")
  (sysctl-name "vm.loadavg"))
(allow mach-lookup
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership"))
(allow file-ioctl
  (literal "/dev/dtracehelper")
  (literal "/dev/null")
  (literal "/dev/random")
  (literal "/dev/urandom")
  (literal "/dev/zero"))`;

/** Everything is readable where no place says otherwise; terminals, disks and memory are not, they show what is hidden. */
const FILES = `(allow file-read*)
(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/stdout") (literal "/dev/stderr") (subpath "/dev/fd"))`;
const WRITABLE = "(allow file-write*)";
const DEVICES = `(deny file-read* file-write* (regex #"^/dev/(r?disk|tty|pty|ptmx|cu\\.|bpf|k?mem)"))`;

/** Addresses, the resolver and the check of certificates; no socket of a service. */
const NETWORK = `(allow system-socket)
(allow network-outbound (remote ip))
(allow network-inbound (local ip))
(allow network-bind (local ip))
(allow network-outbound (remote unix-socket (path-literal "/private/var/run/mDNSResponder")))
(allow sysctl-read (sysctl-name-prefix "net.routetable."))
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.dnssd.service")
  (global-name "com.apple.ocspd")
  (global-name "com.apple.trustd.agent"))`;

/** Where macOS keeps temporary files of each person, beside /private/tmp. */
const TEMPORARY = "/private/var/folders";
/** The same files under the name of the volume that they lie on. */
const DATA_VOLUME = "/System/Volumes/Data";

export function seatbeltProfile(view: SeatbeltView): SeatbeltProfile {
  const { rest, places, network, scratch, cwd } = view;
  const { parameters, filter } = createParameters();
  const shown = places.filter(({ as }) => as === "readable" || as === "writable").map(({ path }) => path);
  const held = places.filter(({ as }) => as !== "writable" && as !== "scratch").map(({ path }) => path);
  const rules = [
    BASE,
    ...(network ? [NETWORK] : []),
    FILES,
    ...(rest === "writable" ? [WRITABLE] : []),
    DEVICES,
    ...(scratch === undefined ? [] : hiding(TEMPORARY, { filter, isFolder: true, network })),
    ...places.flatMap((place) => placeRules(place, { filter, network })),
    ...(scratch === undefined ? [] : [`(allow file-read* file-write* ${filter(scratch, "subpath")})`]),
    // a folder that is hidden is passed through on the way to what is shown in it
    ...each(foldersAbove([...shown, cwd, ...(scratch === undefined ? [] : [scratch])]), (path) => [
      `(allow file-read-metadata ${filter(path, "literal")})`,
    ]),
    // whoever renamed one of these, or a folder above it, would have moved it away from under its rule
    ...each([...held, ...foldersAbove(held)], (path) => [`(deny file-write-unlink ${filter(path, "literal")})`]),
  ];
  return { text: `${rules.join("\n")}\n`, parameters };
}

type Filter = (path: string, kind: "literal" | "subpath") => string;
type Around = { filter: Filter; network: boolean };

function placeRules({ path, as, isFolder }: ExistingPlace, around: Around): string[] {
  const { filter, network } = around;
  const all = filter(path, isFolder ? "subpath" : "literal");
  switch (as) {
    case "fixed":
      return []; // open as it is; that it stays where it is, is said for all at the end
    case "kept":
      return [`(deny file-write* ${all})`];
    case "readable":
      return [`(allow file-read* ${all})`, `(deny file-write* ${all})`];
    case "writable":
      return [`(allow file-read* file-write* ${all})`, ...(network ? sockets("allow", all) : [])];
    case "scratch":
    case "hidden":
      return hiding(path, { ...around, isFolder });
  }
}

function hiding(path: string, { filter, isFolder, network }: Around & { isFolder: boolean }): string[] {
  const names = [path, `${DATA_VOLUME}${path}`].map((name) => filter(name, isFolder ? "subpath" : "literal"));
  return names.flatMap((all) => [`(deny file-read* file-write* ${all})`, ...(network ? sockets("deny", all) : [])]);
}

/** Rules on files say nothing about connecting to a socket. */
const sockets = (verdict: "allow" | "deny", all: string): string[] => [
  `(${verdict} network-outbound (remote unix-socket ${all}))`,
  `(${verdict} network-bind (local unix-socket ${all}))`,
  `(${verdict} network-inbound (local unix-socket ${all}))`,
];

function createParameters(): { parameters: Record<string, string>; filter: Filter } {
  const parameters: Record<string, string> = {};
  const names = new Map<string, string>();
  return {
    parameters,
    filter(path, kind) {
      const name = names.get(path) ?? `PLACE_${names.size}`;
      names.set(path, name);
      parameters[name] = path;
      return `(${kind} (param "${name}"))`;
    },
  };
}

const each = (paths: readonly string[], rules: (path: string) => string[]): string[] =>
  [...new Set(paths)].flatMap(rules);

const foldersAbove = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const above = dirname(path);
    return above === path ? [] : [above, ...foldersAbove([above])];
  });
