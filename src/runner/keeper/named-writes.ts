/**
 * Names what a held tree tries to change (ADR 0072). The kernel stops each call that would change a file until the supervisor has
 * looked at it, and then goes on with it: whether it succeeds is the mount's to say, never the supervisor's.
 *
 *   bash ─▶ perl (SUPERVISOR) ─▶ bwrap ─▶ perl (HANDOVER) ─▶ the program, in the same process
 *               ▲                              └─ loads the filter, sends its listener to the supervisor
 *               └── calls that are stopped ── the tree
 *
 * The supervisor is the parent of bubblewrap, which dies with it: no call of the tree can wait for one that is gone.
 */
import { spawnSync } from "node:child_process";
import { systemPrograms } from "../system-programs.ts";
import { writeFilter } from "./write-filter.ts";

/** Of the supervisor: what it is told ("ro", "rw") and what it tells ("tried PATH PROGRAM" in hexadecimal, or "unnamed WHY"). */
export const NAMES = 8;
/** On which the listener is sent; of bubblewrap and what it starts. */
const HANDED = 9;

/**
 * Its arguments: the workspace, numbers of calls, where calls name files; then bubblewrap and its arguments. It has no variables of the
 * program's; bubblewrap gets them as bash was given them. It loads no module, and whatever goes wrong with a name, the call goes on.
 * The path is read while the call is stopped. A program that exchanges it meanwhile makes the name wrong, and nothing else.
 * It waits for a stopped call and for nothing else, so that each costs two system calls of its own. Orders and the end of bubblewrap come
 * as signals, which interrupt that wait; one that comes just before it is attended to with the next call, or within a second.
 */
const SUPERVISOR = String.raw`
my ($workspace, $calls, $namings) = splice @ARGV, 0, 3;
my ($prctl, $dup3, $close, $recvmsg, $ioctl, $openat2, $fstatfs, $setsid, $setitimer) = map { $_ + 0 } split /,/, $calls;
my ($names, $handed, $named_max) = (${NAMES}, ${HANDED}, 1000);
my ($receive, $send, $is_valid, $set_flags) = (0xc0502100, 0xc0182101, 0x40082102, 0x40082104);
sub fail { print STDERR "holdpoint: $_[0]: $!\n"; exit 125 }
syscall($prctl, 1, 9);
open(my $given, "<", "/proc/" . getppid() . "/environ") or fail("environment");
my %env = do { local $/; map { /^([^=]+)=(.*)$/s ? ($1, $2) : () } split /\0/, <$given> // "" };
close $given;
delete @env{qw(NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE)};
$env{PERL_BADLANG} = 0;
$^F = 255;
socketpair(my $mine, my $theirs, 1, 1, 0) or fail("socketpair");
if (fileno($theirs) != $handed) { syscall($dup3, fileno($theirs), $handed, 0) == $handed or fail("dup3") }
my $child = fork() // fail("fork");
if ($child == 0) {
  syscall($close, $names);
  close $mine;
  syscall($close, fileno($theirs)) if fileno($theirs) != $handed;
  %ENV = %env;
  exec { $ARGV[0] } @ARGV;
  fail("start");
}
%env = ();
close $theirs;
syscall($close, $_) for 4, 5, 6, $handed;
syscall($setsid);
open(STDIN, "<", "/dev/null");
open(STDOUT, ">", "/dev/null");
open(STDERR, ">", "/dev/null");
open(my $keeper, "+<&=", $names) or exit 125;
my $due = 1;
$SIG{IO} = $SIG{CHLD} = $SIG{ALRM} = sub { $due = 1 };
fcntl($keeper, 8, $$ + 0);
fcntl($keeper, 4, 0x2800);
sub ended { my $status = $?; exit($status & 127 ? 128 + ($status & 127) : $status >> 8) }
sub listener {
  my ($byte, $control) = (pack("x1"), pack("x24"));
  my $vector = pack("P Q", $byte, 1);
  my $message = pack("Q L x4 P Q P Q l x4", 0, 0, $vector, 1, $control, 24, 0);
  my $got;
  do { $got = syscall($recvmsg, fileno($mine), $message, 0x40000000) } while ($got == -1 && $! == 4);
  close $mine;
  return $got == 1 && unpack("Q", $control) == 20 ? unpack("l", substr($control, 16, 4)) : -1;
}
my $listener = listener();
if ($listener < 0) {
  syswrite($keeper, "unnamed\n");
  1 while waitpid($child, 0) != $child && $! == 4;
  ended();
}
my $sync = 1;
syscall($ioctl, $listener, $set_flags, $sync);
my %where = map { /^(\d+:\d+)=(-?\d+)\.(\d+)\.([a-z-]+)\.(-?\d+)$/ ? ($1 => [$2, $3, $4, $5]) : () } split / /, $namings;
my ($held, %seen) = (1);
sub slurp { open(my $file, "<", $_[0]) or return ""; local $/; return <$file> // "" }
sub bytes_at {
  my ($pid, $at, $count) = @_;
  open(my $memory, "<:raw", "/proc/$pid/mem") or return undef;
  sysseek($memory, $at, 0) or return undef;
  my $read = "";
  while (length($read) < $count) {
    my $piece;
    my $size = 4096 - (($at + length $read) & 4095);
    sysread($memory, $piece, $size) or last;
    $read .= $piece;
    last if $count == 4096 && index($piece, "\0") >= 0;
  }
  return $read;
}
sub text_at { my $read = bytes_at(@_, 4096); return defined $read && $read =~ /^([^\0]+)\0/ ? $1 : undef }
sub opened { my ($root, $path, $resolve) = @_; my $how = pack("Q3", 0x280000, 0, $resolve // 0x10); return syscall($openat2, $root, $path, $how, 24) }
sub is_read_only { my $facts = pack("x120"); return syscall($fstatfs, $_[0], $facts) == 0 && (unpack("Q", substr($facts, 80, 8)) & 1) }
sub place {
  my ($root, $path, $kind, $flags) = @_;
  $path =~ s{/+$}{};
  my ($above, $name) = $path =~ m{^(.*)/([^/]+)$}s ? ("$1/", $2) : ("/", "");
  my $folder = opened($root, $above);
  return undef if $folder < 0;
  my @held = ($folder);
  my $real = readlink("/proc/self/fd/$folder") . "/$name";
  my $is_there = lstat("/proc/self/fd/$folder/$name") ? 1 : 0;
  my $is_link = -l _;
  my $on = $folder;
  if ($is_there && ($kind !~ /^(?:make|remove)$/)) {
    my $file = opened($root, $path);
    if ($file >= 0) {
      push @held, $file;
      $on = $file;
      $real = readlink("/proc/self/fd/$file") if $is_link || $name =~ /^\.\.?$/;
      stat("/proc/self/fd/$file");
      $on = -1 unless -f _ || -d _;
    }
  }
  my $comes_so_far = $kind eq "make" ? !$is_there : $kind =~ /^open/ ? ($is_there ? ($flags & 0xc0) != 0xc0 : $flags & 0x40) : $is_there;
  my $refused = $on >= 0 && $comes_so_far && is_read_only($on);
  syscall($close, $_) for @held;
  return $refused ? $real : undef;
}
sub report {
  my ($notice) = @_;
  my ($id, $pid, undef, $call, $architecture, undef, @given) = unpack("Q L L l L Q Q6", $notice);
  my ($folder, $at, $kind, $flags_at) = @{$where{"$architecture:$call"} // return};
  my $path = text_at($pid, $given[$at]) // return;
  my $flags = $kind eq "open-by-struct" ? unpack("Q", bytes_at($pid, $given[2], 8) // pack("x8")) : $flags_at < 0 ? 0x40 : $given[$flags_at];
  return if $kind eq "open-by-struct" && !($flags & 0x243);
  if ($path !~ m{^/}) {
    my $from = $folder < 0 ? -100 : unpack("l", pack("L", $given[$folder] & 0xffffffff));
    $path = (readlink($from == -100 ? "/proc/$pid/cwd" : "/proc/$pid/fd/$from") // return) . "/$path";
  }
  my $root = opened(-100, "/proc/$pid/root", 0);
  return if $root < 0;
  my $real = place($root, $path, $kind, $flags);
  syscall($close, $root);
  return unless defined $real && index("$real/", "$workspace/") == 0 && !$seen{$real} && keys(%seen) < $named_max;
  my ($process) = slurp("/proc/$pid/status") =~ /^Tgid:\s+(\d+)/m;
  my $program = slurp("/proc/" . ($process // $pid) . "/comm");
  chomp $program;
  my $asked = pack("Q", $id);
  return unless syscall($ioctl, $listener, $is_valid, $asked) == 0;
  $seen{$real} = 1;
  syswrite($keeper, "tried " . unpack("H*", $real) . " " . unpack("H*", $program) . "\n");
}
sub attend {
  $due = 0;
  ended() if waitpid($child, 1) == $child;
  my $got = sysread($keeper, my $said, 4096);
  exit 137 if defined $got ? $got == 0 : $! != 4 && $! != 11;
  return unless $got;
  $held = substr($said, -3) eq "ro\n";
  %seen = ();
}
my $each_second = pack("q4", 1, 0, 1, 0);
syscall($setitimer, 0, $each_second, 0);
my ($empty, $answer) = (pack("x80"), pack("Q q l L", 0, 0, 0, 1));
while (1) {
  attend() if $due;
  my $notice = $empty;
  my $failed = syscall($ioctl, $listener, $receive, $notice) != 0;
  my $why = $! + 0;
  attend() if $due;
  if ($failed) {
    select(undef, undef, undef, 0.01) if $why != 4;
    next;
  }
  eval { report($notice) } if $held;
  substr($answer, 0, 8) = substr($notice, 0, 8);
  syscall($ioctl, $listener, $send, $answer);
}
`;

/**
 * Its arguments: the filter in hexadecimal, numbers of calls; then the program. A kernel or a place that grants no listener leaves the
 * program unnamed. Signals of the terminal, which bash has it ignore, are as for any program.
 */
const HANDOVER = String.raw`
my ($filter, $calls) = splice @ARGV, 0, 2;
my ($seccomp, $sendmsg, $close) = map { $_ + 0 } split /,/, $calls;
$SIG{INT} = $SIG{QUIT} = "DEFAULT";
delete $ENV{PERL_BADLANG};
my $steps = pack("H*", $filter);
my $program = pack("S x6 P", length($steps) / 8, $steps);
my $listener = syscall($seccomp, 1, 40, $program);
$listener = syscall($seccomp, 1, 8, $program) if $listener < 0;
my $byte = "x";
my $vector = pack("P Q", $byte, 1);
my $control = pack("Q l l l x4", 20, 1, 1, $listener);
my $message = $listener < 0
  ? pack("Q L x4 P Q Q Q l x4", 0, 0, $vector, 1, 0, 0, 0)
  : pack("Q L x4 P Q P Q l x4", 0, 0, $vector, 1, $control, 24, 0);
if (syscall($sendmsg, ${HANDED}, $message, 0) != 1) { print STDERR "holdpoint: supervisor: $!\n"; exit 125 }
syscall($close, $listener) if $listener >= 0;
syscall($close, ${HANDED});
exec { $ARGV[0] } @ARGV;
my $why = $! + 0;
print STDERR "holdpoint: $ARGV[0]: $!\n";
exit($why == 2 ? 127 : 126);
`;

/**
 * Its argument: the number of seccomp. It loads a filter that allows all, with a listener, as the program would; the sizes of what the
 * kernel hands over must be those that the supervisor knows, and a path must resolve inside of another root.
 */
const TRIAL = String.raw`
my ($seccomp, $prctl) = map { $_ + 0 } split /,/, shift @ARGV;
my $sizes = pack("x6");
exit 1 unless syscall($seccomp, 3, 0, $sizes) == 0 && join(",", unpack("S3", $sizes)) eq "80,24,64";
my ($path, $how) = ("/", pack("Q3", 0x280000, 0, 0x10));
exit 2 unless syscall(437, -100, $path, $how, 24) >= 0;
my $steps = pack("S C C L", 6, 0, 0, 0x7fff0000);
my $program = pack("S x6 P", 1, $steps);
syscall($prctl, 38, 1, 0, 0, 0);
exit(syscall($seccomp, 1, 8, $program) >= 0 ? 0 : 3);
`;
const TRIAL_MS_MAX = 5_000;
const TRIAL_CALLS: Readonly<Record<string, string>> = { x64: "317,157", arm64: "277,167" };

/** Variables that make perl load code, or start otherwise, before a line of ours has run. */
const STEERS_PERL = /^PERL/;

/** Undefined: what a program with these variables tries to change can be named here. Otherwise why not, as part of a sentence. */
export function whyUnnamed(env: NodeJS.ProcessEnv): string | undefined {
  const perl = systemPrograms().find("perl");
  if (perl === undefined) return "perl is not installed";
  const calls = TRIAL_CALLS[process.arch];
  if (calls === undefined) return `the system calls of ${process.arch} are not known here`;
  const steering = Object.keys(env).find((name) => STEERS_PERL.test(name) && env[name] !== undefined);
  if (steering !== undefined) return `the variable ${steering} steers perl`;
  const { status } = spawnSync(perl, ["-f", "-e", TRIAL, "--", calls], {
    env: {},
    stdio: "ignore",
    timeout: TRIAL_MS_MAX,
  });
  return status === 0 ? undefined : "this kernel grants no listener for system calls";
}

/** By what Node calls the machine: prctl, dup3, close, recvmsg, ioctl, openat2, fstatfs, setsid, setitimer; then seccomp, sendmsg, close. */
const CALLS: Readonly<Record<string, readonly [string, string]>> = {
  x64: ["157,292,3,47,16,437,138,112,38", "317,46,3"],
  arm64: ["167,24,57,212,29,437,44,157,103", "277,211,57"],
};

export type NamedWrites = {
  /** What starts bubblewrap, before its own name. */
  supervisor: readonly string[];
  /** What starts the program, before its own name. */
  handover: readonly string[];
};

/** Undefined where nothing is known of this machine's calls, or there is no perl. */
export function namedWrites(workspace: string): NamedWrites | undefined {
  const perl = systemPrograms().find("perl");
  const filter = writeFilter();
  const calls = CALLS[process.arch];
  if (perl === undefined || filter === undefined || calls === undefined) return undefined;
  const script = (text: string): string[] => [perl, "-f", "-e", text, "--"];
  return {
    supervisor: [...script(SUPERVISOR), workspace, calls[0], filter.namings],
    handover: [...script(HANDOVER), Buffer.from(filter.program).toString("hex"), calls[1]],
  };
}
