/**
 * A view built by util-linux alone, which every Debian has: a copy of the machine's tree in a mount namespace of its own,
 * changed to the view and made the root. A step that fails ends it before the program starts. Each mount by a program of its
 * own would take most of the time, so what can be done by one is: all that is hidden, and all that is made read-only.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { namedCapabilities } from "./capabilities.ts";
import type { ExistingPlace } from "./hidden/existing-places.ts";
import type { Program, View } from "./view.ts";

/**
 * $1 a folder to build the tree on, $2 "read-only" or "writable", $3 what setpriv is told, $4 where to start, $5 who the
 * program is ("uid:gid", empty where that does not matter); then pairs of what and where up to "--", where "many" comes with the
 * lines of an fstab, of which those count whose place is still there; then the program. That file lies in a folder that has no name any more. A mount that is covered by another, or behind a folder that is closed to this user, cannot be
 * made read-only and need not be: what `mount --all` left writable is tried and looked at by itself. Inside of the copy it sees only
 * the mounts of the copy. Outside a writable view the devices are a few harmless ones.
 */
const SCRIPT = `set -euf
path=\${PATH-} has_path=\${PATH+yes}
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1 rest=$2 bounds=$3 cwd=$4 user=$5
shift 5
is_out_of_reach() {
  [ -e "$2" ] || return 0
  [ -d "$2" ] || [ -f "$2" ] || return 1
  local name value
  while read -r name value; do
    if [ "$name" = mnt_id: ]; then [ "$value" != "$1" ]; return; fi
  done 9< "$2" < /proc/self/fdinfo/9
  return 1
}
close() {
  local id at flags
  while read -r id _ _ _ at flags _; do
    case ,$flags, in *,ro,*) continue ;; esac
    printf -v at "\${at//%/%%}"
    case $at in
      "$1"|"$1"/*)
        is_out_of_reach "$id" "$at" || mount -o remount,bind,ro "$at" ;;
    esac
  done < /proc/self/mountinfo
}
many() {
  printf '%s' "$1" > fstab
  mount --all --fstab fstab 2>said && return
  local there= what at how target
  while read -r what at how; do
    printf -v target "\${at//%/%%}"
    [ ! -e "$target" ] || there+="$what $at $how"$'\\n'
  done < fstab
  if [ "$there" = "$1" ]; then cat said >&2; return 1; fi
  [ -z "$there" ] || many "$there"
}
mount -t tmpfs -o mode=0700 tmpfs "$root"
cd "$root"
umount -l "$root"
mount --rbind / "$root"
lines=
if [ "$rest" = read-only ]; then
  chroot "$root" mount --all -o remount,bind,ro 2>/dev/null || :
  close "$root"
  mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
  for name in null zero full random urandom tty; do
    : > "$root/dev/$name"
    lines+="/dev/$name $root/dev/$name none bind 0 0"$'\\n'
  done
  if [ -L /dev/fd ] && [ -L /dev/stdin ] && [ -L /dev/stdout ] && [ -L /dev/stderr ]; then
    cp -P /dev/fd /dev/stdin /dev/stdout /dev/stderr "$root/dev"
  fi
fi
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
if [ -w "$root/proc/sys/kernel/core_pattern" ]; then
  for name in sys sysrq-trigger irq bus; do
    [ -e "$root/proc/$name" ] || continue
    lines+="$root/proc/$name $root/proc/$name none bind,ro 0 0"$'\\n'
  done
fi
[ -z "$lines" ] || many "$lines"
place() {
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root\${1%/*}"; [ -e "$root$1" ] || : > "$root$1"; fi
}
while [ "$1" != -- ]; do
  case $1 in
    many) many "$2" ;;
    readable) place "$2"; mount --rbind "$2" "$root$2"; close "$root$2" ;;
    writable) place "$2"; mount --rbind "$2" "$root$2" ;;
  esac
  shift 2
done
shift
into=(chroot "$root") as=()
if [ -n "$user" ]; then
  cd "$root"
  pivot_root . .
  umount -l .
  into=() as=(unshare --user "--map-user=\${user%:*}" "--map-group=\${user#*:}" --)
fi
exec setsid "\${into[@]}" setpriv --no-new-privs --inh-caps=-all "--bounding-set=$bounds" "\${as[@]}" \\
  bash --noprofile --norc -c 'cd "$1" || exit; if [ -n "$2" ]; then PATH=$3; else unset PATH; fi; shift 3; exec "$@"' \\
  holdpoint "$cwd" "$has_path" "$path" "$@"
`;

const SHOWN: Readonly<Record<Exclude<ExistingPlace["as"], "hidden" | "scratch">, string>> = {
  fixed: "writable",
  kept: "readable",
  readable: "readable",
  writable: "writable",
};

type Built = Pick<View, "rest" | "network"> & { places: readonly ExistingPlace[] };

/** Folders that exist nearly everywhere. The tree is built on one, in a namespace where nobody else sees that. */
const MOUNT_POINTS = ["/srv", "/mnt", "/media", "/opt", "/boot", "/home"];

/** What is shown below it could not be mounted any more. */
export function mountPoint(places: readonly ExistingPlace[]): string | undefined {
  const shown = places.filter(({ as }) => as === "readable" || as === "writable" || as === "fixed");
  return MOUNT_POINTS.find(
    (path) => existsSync(path) && !shown.some((place) => `${place.path}/`.startsWith(`${path}/`)),
  );
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** What `unshare` is told before the program. */
export const namespaces = (network: boolean): string[] => [
  ...(isRoot() ? [] : ["--user", "--map-root-user"]),
  "--mount",
  "--propagation",
  "private",
  "--pid",
  "--fork",
  "--kill-child",
  "--ipc",
  ...(network ? [] : ["--net"]),
];

/** Who the program is to be again, as "uid:gid"; empty where that does not matter. */
export const ordinaryUser = (rest: View["rest"]): string =>
  isRoot() || rest === "read-only" ? "" : `${process.getuid?.()}:${process.getgid?.()}`;

/** The arguments of `unshare`; undefined where there is no place to build the tree. */
export function utilLinuxArguments({ rest, places, network }: Built, { cwd, argv }: Program): string[] | undefined {
  const onto = mountPoint(places);
  if (onto === undefined) return undefined;
  return [
    ...namespaces(network),
    "--",
    "/bin/bash",
    "--noprofile",
    "--norc",
    "-c",
    SCRIPT,
    "holdpoint",
    onto,
    rest,
    boundsFor(rest),
    cwd,
    ordinaryUser(rest),
    ...steps(places, onto),
    "--",
    ...argv,
  ];
}

/** In the order of the places; what follows on another without anything shown in between is mounted by one program. */
function steps(places: readonly ExistingPlace[], onto: string): string[] {
  const done: string[] = [];
  let lines = "";
  const flush = (): void => {
    if (lines !== "") done.push("many", lines);
    lines = "";
  };
  // a name that no mount has yet: `mount --all` leaves out what seems to be mounted already
  const source = `holdpoint-${randomUUID()}`;
  for (const { path, as, isFolder } of places) {
    if (as === "hidden" || as === "scratch") lines += fstabLine(`${onto}${path}`, { source, as, isFolder });
    else {
      flush();
      done.push(SHOWN[as], path);
    }
  }
  flush();
  return done;
}

type Covered = { source: string; as: "hidden" | "scratch"; isFolder: boolean };

function fstabLine(target: string, { source, as, isFolder }: Covered): string {
  const at = target.replaceAll(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
  if (as === "hidden" && !isFolder) return `/dev/null ${at} none bind 0 0\n`;
  return `${source} ${at} tmpfs mode=${as === "scratch" ? "1777" : "0555"} 0 0\n`;
}

/** What setpriv is told about capabilities. */
function boundsFor(rest: View["rest"]): string {
  if (!isRoot() && rest === "read-only") return "-all";
  if (!isRoot()) return "-all,+setfcap"; // without it the kernel gives nobody their own name back; it is gone with the next program
  const kept = namedCapabilities(rest, { isRoot: true }).map((name) => `+${name.replace(/^CAP_/, "").toLowerCase()}`);
  return ["-all", ...kept].join(",");
}
