/**
 * How a process tree is started that can be held and released while it runs. Its keeper is root in a user namespace of its
 * own and nothing outside; the tree lives in namespaces below that, can make no further ones, and so cannot undo what the
 * keeper mounts.
 *
 *   setpriv ─▶ unshare -Ur ─▶ bash (SCRIPT) ─┬─▶ bwrap ─▶ the program, its workspace mounted by itself
 *                                            └─▶ reads orders: "ro PID OPTIONS", "rw PID OPTIONS" ─▶ nsenter ─▶ mount -o remount,bind
 */
import { spawnSync } from "node:child_process";
import { capabilities, KERNEL_SETTINGS, mountArguments } from "../bubblewrap.ts";
import { type ExistingPlace, existingPlaces, hiddenEverywhere } from "../hidden/existing-places.ts";
import { foldersAbove } from "../hidden/hidden-places.ts";
import { systemPrograms } from "../system-programs.ts";
import type { Place } from "../view.ts";
import { LISTENER } from "./inner-ports.ts";
import { NAMES, type NamedWrites } from "./named-writes.ts";

/**
 * Descriptors of the script: orders come in, answers and what bubblewrap tells go out, the filter; with a network of its own
 * also what the start of the program waits for, and the channel on which its ports are handed over.
 */
export const ORDERS = 3;
export const ANSWERS = 4;
export const FILTER = 5;
export const START = 6;
const CHANNEL = 7;

/**
 * $1 the workspace, $2 nsenter, $3 mount, $4 Node, $5 what listens and $6 where, $7 whether a supervisor comes first, then bubblewrap and its arguments. Signals of the terminal reach the program by
 * themselves; here they only must not end anything. When nobody orders any more, the keeper is gone, and the tree goes too; also
 * when nobody takes orders.
 * What mounts has none of the program's variables: one of them could make it load code from a folder that the tree writes to.
 */
const SCRIPT = `
workspace=$1 nsenter=$2 mount=$3 node=$4 listener=$5 ports=$6 named=$7
shift 7
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
trap : INT QUIT
if [ -n "$named" ]; then
  { exec -c "$@"; } <&0 3<&- ${CHANNEL}<&- &
else
  "$@" <&0 3<&- ${CHANNEL}<&- ${NAMES}<&- &
fi
tree=$!
exec 2>/dev/null
{
  for name in $(compgen -e); do unset "$name"; done
  while read -r -u 3 what pid kept; do
    if [ "$what" = listen ]; then
      NODE_CHANNEL_FD=${CHANNEL} NODE_CHANNEL_SERIALIZATION_MODE=json "$nsenter" -t "$pid" -n -- "$node" -e "$listener" $ports >&2 &
      exec ${CHANNEL}<&-
    elif said=$("$nsenter" -t "$pid" -m -- "$mount" -o "remount,bind,$what$kept" "$workspace" 2>&1 5<&-); then
      echo "done $what" >&4
    else
      echo "busy $what \${said//$'\\n'/ }" >&4
    fi
  done
  kill -KILL "$tree"
} </dev/null 5<&- ${START}<&- ${NAMES}<&- &
orders=$!
exec 5<&- 4>&- ${START}<&- ${CHANNEL}<&- ${NAMES}<&-
while kill -0 "$tree" && kill -0 "$orders"; do wait -n "$tree" "$orders"; done
kill -0 "$orders" || kill -KILL "$tree"
wait "$tree"
code=$?
kill -KILL "$orders"
exit "$code"
`;

export type KeptProgram = {
  workspace: string;
  /** Everything else of the machine is read-only where no place says otherwise. */
  places: readonly Place[];
  cwd: string;
  argv: readonly string[];
  isFiltered: boolean;
  /** It has a network of its own, in which only these ports are served; absent: the network of the machine. */
  ports?: readonly number[] | undefined;
  /** What it tries to change is named. */
  named?: NamedWrites | undefined;
};

/** Undefined where this machine lacks one of the programs. */
export function keeperArguments(kept: KeptProgram): { file: string; args: string[] } | undefined {
  const programs = ["setpriv", "unshare", "bash", "bwrap", "nsenter", "mount"].map((name) =>
    systemPrograms().find(name),
  );
  const [setpriv, unshare, bash, bwrap, nsenter, mount] = programs;
  if (setpriv === undefined || unshare === undefined || bash === undefined) return undefined;
  if (bwrap === undefined || nsenter === undefined || mount === undefined) return undefined;
  const inside = [unshare, "-Ur", "--", bash, "--noprofile", "--norc", "-p", "-c", SCRIPT, "holdpoint"];
  return {
    file: setpriv,
    args: [
      "--pdeathsig",
      "KILL",
      "--",
      ...inside,
      kept.workspace,
      nsenter,
      mount,
      ...listening(kept),
      kept.named === undefined ? "" : "named",
      ...(kept.named?.supervisor ?? []),
      bwrap,
      ...bubblewrap(kept),
    ],
  };
}

const listening = ({ ports = [] }: KeptProgram): string[] => [process.execPath, LISTENER, ports.join(" ")];

const NAMESPACES = ["--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-ipc", "--die-with-parent"];
const MACHINE = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...KERNEL_SETTINGS];

function bubblewrap({ workspace, places, cwd, argv, isFiltered, ports, named }: KeptProgram): string[] {
  const there = hiddenEverywhere([...places, { path: workspace, as: "readable" }]);
  const mounts = existingPlaces([...there, ...fixedAbove(workspace, there)]).filter(({ path }) => path !== "/");
  return [
    ...NAMESPACES,
    ...capabilities("read-only"),
    ...(ports === undefined ? [] : ["--unshare-net", "--block-fd", String(START)]),
    "--uid",
    String(process.getuid?.() ?? 0),
    "--gid",
    String(process.getgid?.() ?? 0),
    ...MACHINE,
    ...mounts.flatMap(mountArguments),
    ...(isFiltered ? ["--seccomp", String(FILTER)] : []),
    "--info-fd",
    String(ANSWERS),
    "--chdir",
    cwd,
    "--",
    ...(named?.handover ?? withSignals(argv)),
    ...argv,
  ];
}

/**
 * The keeper finds the workspace by its name. Where the tree can write to a folder above it, it could rename that and have the name
 * lead elsewhere: each such folder is a mount of its own, which nobody renames. `places` are in mounting order.
 */
const fixedAbove = (workspace: string, places: readonly ExistingPlace[]): Place[] =>
  foldersAbove(workspace).flatMap((path): Place[] => {
    const around = places.findLast((place) => place.path === path || path.startsWith(`${place.path}/`));
    if (around === undefined || around.path === path) return [];
    if (around.as === "readable" || around.as === "kept") return [];
    return [{ path, as: around.as === "scratch" || around.as === "hidden" ? "scratch" : "fixed" }];
  });

const RESET = "--default-signal=INT,QUIT";

/**
 * Bash starts what runs beside it with the signals of the terminal ignored, and all below would inherit that: bubblewrap must,
 * the program must not. Where the machine's env is too old for it, the program starts as it is.
 */
function withSignals([file = ""]: readonly string[]): string[] {
  const env = systemPrograms().find("env");
  if (env === undefined || file.includes("=")) return []; // env would take it for a variable
  return spawnSync(env, [RESET, "true"], { stdio: "ignore" }).status === 0 ? [env, RESET] : [];
}
