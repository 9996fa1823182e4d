/**
 * A view built by perl, which is part of every Debian: what util-linux does with a program for each step is done by one
 * process, from the namespaces to the last capability, and the filter of system calls is loaded as bubblewrap would.
 */
import { existsSync } from "node:fs";
import { keptCapabilities } from "./capabilities.ts";
import type { ExistingPlace } from "./hidden/existing-places.ts";
import { isRoot, mountPoint, namespaces, ordinaryUser } from "./util-linux.ts";
import type { Program, View } from "./view.ts";

/**
 * The arguments: a folder to build the tree on, "read-only" or "writable", which namespaces (0: it is in them), which capabilities stay
 * (numbers, separated by commas), where to start, who the program is ("uid:gid", empty where that does not matter), "near" or
 * nothing, the filter in hexadecimal, the numbers of the calls; then pairs of what and where up to "--"; then the program. It loads no
 * module: a folder of modules may be one that an earlier command could write to. A step that fails ends it before the
 * program starts; what was to be hidden and went meanwhile is no such step.
 *
 * Two processes: the outer one ends when the gateway does, waits, and ends as the program ended; the inner one is the first
 * of its process namespace, ends with the outer one, builds the view and becomes the program. Around what lives long the outer
 * one is unshare, which takes a tenth of perl's memory and two programs more to start.
 */
const SCRIPT = String.raw`
my ($root, $rest, $spaces, $kept, $cwd, $user, $near, $filter, $calls) = splice @ARGV, 0, 9;
my ($mount, $umount, $pivot, $setattr, $seccomp, $setsid, $unshare, $prctl, $capget, $capset) = map { $_ + 0 } split /,/, $calls;
my ($nosuid, $nodev, $noexec, $bind, $rec, $private) = (2, 4, 8, 4096, 16384, 1 << 18);
my ($new_user, $death_signal, $no_new_privileges, $bounds_read, $bounds_drop, $no_such_device) = (0x10000000, 1, 38, 23, 24, 6);
sub fail { print STDERR "holdpoint: $_[0]: $!\n"; exit 125 }
sub control { my ($what, $value) = @_; return syscall($prctl, $what + 0, $value + 0, 0, 0, 0) }
sub end_with_parent { control($death_signal, 9) == 0 or fail("death signal") }
sub put { my ($path, $text) = @_; open(my $to, ">", $path) or fail($path); syswrite($to, $text) == length $text or fail($path); close $to }
sub be { my ($uid, $from_uid, $gid, $from_gid) = @_; put("/proc/self/setgroups", "deny"); put("/proc/self/uid_map", "$uid $from_uid 1"); put("/proc/self/gid_map", "$gid $from_gid 1") }
sub enter {
  my ($uid, $gid) = ($>, $) + 0);
  syscall($unshare, $spaces + 0) == 0 or fail("namespaces");
  be(0, $uid, 0, $gid) if $spaces & $new_user;
  end_with_parent();
  my $child = fork();
  defined $child or fail("fork");
  return unless $child;
  $SIG{INT} = $SIG{TERM} = "IGNORE";
  waitpid($child, 0) == $child or fail("wait");
  $SIG{INT} = $SIG{TERM} = "DEFAULT";
  kill($? & 127, $$) if $? & 127;
  exit($? >> 8);
}
enter() if $spaces;
end_with_parent();
my $no_such_entry = 2;
sub hide { my ($from, $to, $type, $flags, $data) = @_; syscall($mount, $from, $to, $type, $flags + 0, $data) == 0 or $! == $no_such_entry or fail("mount $to") }
sub mount { my ($from, $to, $type, $flags, $data) = @_; syscall($mount, $from, $to, $type, $flags + 0, $data) == 0 or fail("mount $to") }
sub close_to_writing { my ($path, $deep) = @_; my $set = pack("QQQQ", 1, 0, 0, 0); syscall($setattr, -100, $path, $deep + 0, $set, 32) == 0 or fail("read-only $path") }
sub folder { my ($path) = @_; return if -d $path; my ($above) = $path =~ m{^(.*)/[^/]+$}s; folder($above) if length $above; mkdir($path, 0755) or -d $path or fail("folder $path") }
sub file { my ($path) = @_; return if -e $path; my ($above) = $path =~ m{^(.*)/[^/]+$}s; folder($above); open(my $made, ">", $path) or fail("file $path"); close $made }
sub place { my ($path) = @_; -d $path ? folder("$root$path") : file("$root$path") }
mount("none", "/", "none", $rec | $private, 0);
mount("/", $root, "none", $bind | $rec, 0);
if ($rest eq "read-only") {
  close_to_writing($root, 0x8000);
  mount("tmpfs", "$root/dev", "tmpfs", $nosuid, "mode=0755");
  for my $name (qw(null zero full random urandom tty)) { file("$root/dev/$name"); mount("/dev/$name", "$root/dev/$name", "none", $bind, 0) }
  my %links = (fd => "", stdin => "/0", stdout => "/1", stderr => "/2");
  for my $name (keys %links) { symlink("/proc/self/fd$links{$name}", "$root/dev/$name") or fail("link $name") }
}
mount("proc", "$root/proc", "proc", $nosuid | $nodev | $noexec, 0);
if (-w "$root/proc/sys/kernel/core_pattern") {
  for my $name (qw(sys sysrq-trigger irq bus)) {
    my $path = "$root/proc/$name";
    next unless -e $path;
    mount($path, $path, "none", $bind, 0);
    close_to_writing($path, 0);
  }
}
while ((my $what = shift @ARGV) ne "--") {
  my $path = shift @ARGV;
  my $to = "$root$path";
  if ($what eq "empty-folder") { hide("tmpfs", $to, "tmpfs", $nosuid | $nodev, "mode=0555") }
  elsif ($what eq "empty-file") { hide("/dev/null", $to, "none", $bind, 0) }
  elsif ($what eq "scratch") { mount("tmpfs", $to, "tmpfs", $nosuid | $nodev, "mode=1777") }
  else { place($path); mount($path, $to, "none", $bind | $rec, 0); close_to_writing($to, 0x8000) if $what eq "readable" || $what eq "kept" }
}
if (length $user) {
  my ($here, $also) = (".", ".");
  chdir($root) or fail("folder $root");
  syscall($pivot, $here, $also) == 0 or fail("pivot_root");
  syscall($umount, $here, 2) == 0 or fail("umount");
} else { chroot($root) or fail("chroot"); }
chdir($cwd) or fail("folder $cwd");
sub has_no_terminal { open(my $terminal, "+<", "/dev/tty") and return 0; return $! == $no_such_device }
if (length $near && has_no_terminal()) { setpgrp(0, 0) or fail("group") } else { syscall($setsid) }
control($no_new_privileges, 1) == 0 or fail("no new privileges");
my %kept = map { $_ => 1 } split /,/, $kept;
for (my $one = 0; control($bounds_read, $one) >= 0; $one++) { $kept{$one} or control($bounds_drop, $one) == 0 or fail("capability $one") }
my ($head, $sets) = (pack("LL", 0x20080522, 0), "\0" x 24);
syscall($capget, $head, $sets) == 0 or fail("capabilities");
my @sets = unpack("L6", $sets);
@sets[2, 5] = (0, 0);
$sets = pack("L6", @sets);
syscall($capset, $head, $sets) == 0 or fail("capabilities");
if (length $user) {
  my ($own_uid, $own_gid) = split /:/, $user;
  syscall($unshare, $new_user) == 0 or fail("user namespace");
  be($own_uid, 0, $own_gid, 0);
}
if (length $filter) {
  my $steps = pack("H*", $filter);
  my $program = pack("S x6 P", length($steps) / 8, $steps);
  syscall($seccomp, 1, 0, $program) == 0 or fail("seccomp");
}
end_with_parent();
exec { $ARGV[0] } @ARGV;
my $why = $! + 0;
print STDERR "holdpoint: $ARGV[0]: $!\n";
exit($why == 2 ? 127 : 126);
`;

/** The numbers of mount, umount2, pivot_root, mount_setattr, seccomp, setsid, unshare, prctl, capget and capset, by what Node calls the machine. */
const CALLS: Readonly<Record<string, string>> = {
  x64: "165,166,155,442,317,112,272,157,125,126",
  arm64: "40,39,41,442,277,157,97,167,90,91",
};

/** Of mounts, processes and messages; besides, of users for whoever is not root, and of the network where there is none. */
const NAMESPACES = 0x00020000 | 0x20000000 | 0x08000000;
const USERS = 0x10000000;
const NETWORK = 0x40000000;

const numbered = (network: boolean): number => NAMESPACES + (isRoot() ? 0 : USERS) + (network ? 0 : NETWORK);

/** They make perl load code before a line of ours has run. */
const STEERS_PERL = ["PERL5OPT", "PERL5DB", "PERL5LIB", "PERLLIB"];

type Built = Pick<View, "rest" | "network"> & { places: readonly ExistingPlace[] };
type Programs = Readonly<Record<"perl" | "setpriv" | "unshare", string>>;
type PerlOrder = { program: Program; programs: Programs; filter: Uint8Array | undefined };

/** The program and its arguments; undefined where this machine cannot build it so. */
export function enclosedByPerl(view: Built, order: PerlOrder): { file: string; args: string[] } | undefined {
  const { perl, setpriv, unshare } = order.programs;
  const isShort = order.program.isLeader === true;
  const args = perlArguments(view, order, isShort ? numbered(view.network) : 0);
  if (args === undefined || isShort) return args === undefined ? undefined : { file: perl, args };
  return {
    file: setpriv,
    args: ["--pdeathsig", "KILL", "--", unshare, ...namespaces(view.network), "--", perl, ...args],
  };
}

function perlArguments(view: Built, { program, programs, filter }: PerlOrder, spaces: number): string[] | undefined {
  const { rest, places } = view;
  const onto = mountPoint(places);
  const calls = CALLS[process.arch];
  const isSteered = STEERS_PERL.some((name) => process.env[name] !== undefined);
  if (onto === undefined || calls === undefined || isSteered || !existsSync(programs.perl)) return undefined;
  return [
    "-f",
    "-e",
    SCRIPT,
    "--",
    onto,
    rest,
    String(spaces),
    keptCapabilities(rest, { isRoot: isRoot() }).join(","),
    program.cwd,
    ordinaryUser(rest),
    program.isNear === true ? "near" : "",
    filter === undefined ? "" : Buffer.from(filter).toString("hex"),
    calls,
    ...places.flatMap(({ path, as, isFolder }) => [
      as === "hidden" ? (isFolder ? "empty-folder" : "empty-file") : as,
      path,
    ]),
    "--",
    ...program.argv,
  ];
}
