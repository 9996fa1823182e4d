/**
 * A view built by util-linux and perl, which is part of every Debian: the mounts that util-linux makes one program at a
 * time are made by one process, in a tenth of the time, and the filter of system calls is loaded as bubblewrap would.
 */
import { existsSync } from "node:fs";
import type { ExistingPlace } from "./hidden/existing-places.ts";
import { socketFilter } from "./socket-filter.ts";
import { boundsFor, mountPoint, namespaces, ordinaryUser } from "./util-linux.ts";
import type { Program, View } from "./view.ts";

/**
 * The arguments: a folder to build the tree on, "read-only" or "writable", what setpriv is told, where to start, who the
 * program is ("uid:gid", empty where that does not matter), the filter in hexadecimal, the numbers of the calls, setpriv
 * and unshare; then pairs of what and where up to "--"; then the program. It loads no module: a folder of modules may be
 * one that an earlier command could write to. A step that fails ends it before the program starts.
 */
const SCRIPT = String.raw`
my ($root, $rest, $bounds, $cwd, $user, $filter, $calls, $setpriv, $unshare) = splice @ARGV, 0, 9;
my ($mount, $umount, $pivot, $setattr, $seccomp, $setsid) = map { $_ + 0 } split /,/, $calls;
my ($nosuid, $nodev, $noexec, $bind, $rec) = (2, 4, 8, 4096, 16384);
sub fail { print STDERR "holdpoint: $_[0]: $!\n"; exit 125 }
sub mount { my ($from, $to, $type, $flags, $data) = @_; syscall($mount, $from, $to, $type, $flags + 0, $data) == 0 or fail("mount $to") }
sub close_to_writing { my ($path, $deep) = @_; my $set = pack("QQQQ", 1, 0, 0, 0); syscall($setattr, -100, $path, $deep + 0, $set, 32) == 0 or fail("read-only $path") }
sub folder { my ($path) = @_; return if -d $path; my ($above) = $path =~ m{^(.*)/[^/]+$}s; folder($above) if length $above; mkdir($path, 0755) or -d $path or fail("folder $path") }
sub file { my ($path) = @_; return if -e $path; my ($above) = $path =~ m{^(.*)/[^/]+$}s; folder($above); open(my $made, ">", $path) or fail("file $path"); close $made }
sub place { my ($path) = @_; -d $path ? folder("$root$path") : file("$root$path") }
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
  if ($what eq "empty-folder") { mount("tmpfs", $to, "tmpfs", $nosuid | $nodev, "mode=0555") }
  elsif ($what eq "empty-file") { mount("/dev/null", $to, "none", $bind, 0) }
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
syscall($setsid);
if (length $filter) {
  my $steps = pack("H*", $filter);
  my $program = pack("S x6 P", length($steps) / 8, $steps);
  syscall($seccomp, 1, 0, $program) == 0 or fail("seccomp");
}
my @as = length $user ? ($unshare, "--user", "--map-user=" . (split /:/, $user)[0], "--map-group=" . (split /:/, $user)[1], "--") : ();
exec { $setpriv } $setpriv, "--no-new-privs", "--inh-caps=-all", "--bounding-set=$bounds", @as, @ARGV;
fail("start");
`;

/** The numbers of mount, umount2, pivot_root, mount_setattr, seccomp and setsid, by what Node calls the machine. */
const CALLS: Readonly<Record<string, string>> = { x64: "165,166,155,442,317,112", arm64: "40,39,41,442,277,157" };

/** They make perl load code before a line of ours has run. */
const STEERS_PERL = ["PERL5OPT", "PERL5DB", "PERL5LIB", "PERLLIB"];

type Built = Pick<View, "rest" | "network"> & { places: readonly ExistingPlace[] };
type Programs = Readonly<Record<"perl" | "setpriv" | "unshare", string>>;
type PerlOrder = { program: Program; programs: Programs; filtered: boolean };

/** The arguments of `unshare`; undefined where this machine cannot build it so. */
export function perlArguments(view: Built, { program, programs, filtered }: PerlOrder): string[] | undefined {
  const { rest, places, network } = view;
  const onto = mountPoint(places);
  const calls = CALLS[process.arch];
  const isSteered = STEERS_PERL.some((name) => process.env[name] !== undefined);
  if (onto === undefined || calls === undefined || isSteered || !existsSync(programs.perl)) return undefined;
  const filter = filtered ? socketFilter() : undefined;
  return [
    ...namespaces(network),
    "--",
    programs.perl,
    "-f",
    "-e",
    SCRIPT,
    "--",
    onto,
    rest,
    boundsFor(rest),
    program.cwd,
    ordinaryUser(rest),
    filter === undefined ? "" : Buffer.from(filter).toString("hex"),
    calls,
    programs.setpriv,
    programs.unshare,
    ...places.flatMap(({ path, as, isFolder }) => [
      as === "hidden" ? (isFolder ? "empty-folder" : "empty-file") : as,
      path,
    ]),
    "--",
    ...program.argv,
  ];
}
