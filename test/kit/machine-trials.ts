/**
 * What root could listen to or look into on the whole machine, as a program of perl for the command line (x64): frames of the network,
 * datagrams without a port, a program in the kernel, every processor, memory, a device of the network, the clock, and the process whose
 * number it is given. Prints `word` with the name of each that gave way, then "done".
 */
const SCRIPT = String.raw`
sub try { my ($name, $done) = @_; print "WORD $name\n" if $done }
try("frames", socket(my $a, 17, 3, 0x0300));
try("frames by an older socket", socket(my $b, 2, 10, 0x0300));
try("raw datagrams", socket(my $c, 2, 3, 6));
try("raw datagrams of the sixth version", socket(my $d, 10, 3, 6));
my $order = pack("LLQQLLQLL", 1, 4, 0, 0, 0, 0, 0, 0, 0);
try("a program in the kernel", syscall(321, 5, $order, length $order) >= 0);
my $sampling = pack("LLQ", 1, 112, 0) . "\0" x 96;
try("every processor", syscall(298, $sampling, -1, 0, -1, 0) >= 0);
for my $path ("/dev/mem", "/dev/kmem", "/dev/port", "/proc/kcore") { try($path, open(my $e, "<", $path)) }
if (open(my $tun, "+<", "/dev/net/tun")) { my $name = pack("a16 S x22", "hp0", 0x1002); try("a device of the network", ioctl($tun, 0x400454ca, $name)) }
my $now = pack("qq", time(), 0);
try("the clock", syscall(227, 0, $now) == 0) if $> == 0;
if (@ARGV) { try("another process", syscall(101, 16, $ARGV[0] + 0, 0, 0) == 0) }
print "done\n";
`;

/** `word` stands between double quotes of perl. */
export const machineTrials = (word: string): string => SCRIPT.replace("WORD", () => word);
