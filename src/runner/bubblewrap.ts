/** A view built by bubblewrap. */
import type { ExistingPlace } from "./hidden/existing-places.ts";
import { namedCapabilities } from "./capabilities.ts";
import type { Program, View } from "./view.ts";

type Built = Pick<View, "rest" | "network"> & { places: readonly ExistingPlace[] };

/** The arguments of `bwrap`. */
export function bubblewrapArguments({ rest, places, network }: Built, program: Program): string[] {
  const { cwd, argv, isLeader = false, isNear = false } = program;
  return [
    ...(rest === "writable" ? ["--dev-bind", "/", "/"] : ["--ro-bind", "/", "/", "--dev", "/dev"]),
    "--proc",
    "/proc",
    ...(rest === "writable" && !isRoot() ? [] : KERNEL_SWITCHES),
    ...places.flatMap(mountArguments),
    "--unshare-pid",
    "--unshare-ipc",
    ...(network ? [] : ["--unshare-net"]),
    "--die-with-parent",
    ...(isLeader || isNear ? [] : ["--new-session"]), // away from the gateway's terminal
    ...capabilities(rest),
    "--chdir",
    cwd,
    "--",
    ...argv,
  ];
}

/**
 * What root could change there takes effect outside of every view. bubblewrap itself closes what is writable of the files beside it
 * (`sysrq-trigger`, `irq`, `bus`), so they are not mounted a second time: for each mount it reads the whole table
 * of mounts.
 */
const KERNEL_SWITCHES: readonly string[] = ["--ro-bind-try", "/proc/sys", "/proc/sys"];

/** All of them, for a view in a user namespace of which its keeper is root. */
export const KERNEL_SETTINGS: readonly string[] = [
  ...KERNEL_SWITCHES,
  ...["/proc/sysrq-trigger", "/proc/irq", "/proc/bus"].flatMap((path) => ["--ro-bind-try", path, path]),
];

const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * What stays of root's capabilities; bubblewrap would leave all of them to whoever is root where it is started. It leaves the
 * bounds as they are, which give nobody anything: it lets no program gain privileges.
 */
export const capabilities = (rest: View["rest"]): string[] => [
  "--cap-drop",
  "ALL",
  ...namedCapabilities(rest, { isRoot: isRoot() }).flatMap((name) => ["--cap-add", name]),
];

/** The arguments that show one place. */
export function mountArguments({ path, as, isFolder }: ExistingPlace): string[] {
  switch (as) {
    case "fixed":
    case "writable":
      return ["--bind", path, path];
    case "kept":
    case "readable":
      return ["--ro-bind", path, path];
    case "scratch":
      return ["--perms", "1777", "--tmpfs", path];
    case "hidden":
      return isFolder ? ["--perms", "0555", "--tmpfs", path] : ["--ro-bind", "/dev/null", path];
  }
}

/**
 * What it makes itself if it went while the view was built, empty, in the folders of the person: its starter takes that away
 * again. Where nothing can be written it ends instead, before the program starts.
 */
export const standIns = ({ rest, places }: Built): string[] =>
  rest === "writable" ? places.flatMap(({ path, as }) => (as === "hidden" ? [path] : [])) : [];

/** Takes bubblewrap and its arguments; anything but the certainty that there is no terminal means a session of its own. */
const NEAR_SCRIPT = String.raw`
my $bubblewrap = shift;
my $has_none = !open(my $terminal, "+<", "/dev/tty") && $! == 6;
if ($has_none) { setpgrp(0, 0); getpgrp(0) == $$ or exit 125 } else { unshift @ARGV, "--new-session" }
exec { $bubblewrap } $bubblewrap, @ARGV;
exit 125;
`;

/** What starts bubblewrap for a program that is near its starter: in its session, in a group of its own. */
export const nearArguments = (bubblewrap: string, args: readonly string[]): string[] => [
  "-e",
  NEAR_SCRIPT,
  "--",
  bubblewrap,
  ...args,
];
