/**
 * A socket as 32-bit programs make it, by machine code in a 64-bit process: `int 0x80` with the call whose arguments lie in
 * memory. Prints the descriptor, or the error below zero. For perl on x64.
 */
export const olderSocket = (family: number, type: number): string => `
require DynaLoader;
my $page = syscall(9, 0, 4096, 7, 0x62, -1, 0); # below 4 GB, to be read, written and run
pipe(my $r, my $w);
sub poke { my ($at, $bytes) = @_; syswrite $w, $bytes; syscall(0, fileno($r), $at, length $bytes); }
my ($args, $result) = ($page + 1024, $page + 2048);
poke($args, pack("V3", ${family}, ${type}, 0));
poke($page, "\\x53\\xb8" . pack("V", 102) . "\\xbb" . pack("V", 1) . "\\xb9" . pack("V", $args)
  . "\\xcd\\x80\\x89\\x04\\x25" . pack("V", $result) . "\\x5b\\xc3");
DynaLoader::dl_install_xsub("main::made", $page);
main::made();
syscall(1, fileno($w), $result, 4);
sysread $r, my $said, 4;
print unpack("l<", $said), "\\n";
`;
