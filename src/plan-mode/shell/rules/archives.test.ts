import { describe, expect, it } from "vitest";
import { canonical, hint, verdict } from "../../../../test/kit/shell-verdict.ts";

describe("archives", () => {
  it.each([
    ["tar tf a.tar", "read"],
    ["tar tzvf a.tgz", "read"],
    ["tar -tvf a.tar --wildcards '*.ts'", "read"],
    ["tar -t -f a.tar -C src -X skip -b 20", "read"],
    ["tar --list --file=a.tar --exclude=x", "read"],
    ["tar xOf a.tar a.txt", "read"],
    ["tar -xOzf a.tgz a.txt", "read"],
    ["tar --extract --to-stdout --file a.tar a.txt", "read"],
    ["tar --get -O -f a.tar", "read"],
    ["tar --version", "read"],
    ["tar --help", "read"],
    ["gtar tf a.tar", "read"],
    ["bsdtar -tf a.tar", "read"],
    ["tar -tf a.tar --exclude=a:b -C x:y", "read"],
    ["tar tf ./a:b.tar", "read"], // behind a slash a colon is part of a name
    ['tar tf "./$x"', "read"],
    ["tar", "missing-option: tar needs -t, or -x with -O"],
    ["tar -f a.tar", "missing-option: tar needs -t, or -x with -O"],
    ["tar xf a.tar", "missing-option: tar needs -t, or -x with -O"],
    ["tar -O -f a.tar", "missing-option: tar needs -t, or -x with -O"],
    ["tar -xf a.tar b -O", "missing-option: tar needs -t, or -x with -O"], // BSD takes -O for a name
    ["tar -f a.tar b -t", "missing-option: tar needs -t, or -x with -O"],
    ["tar -txf a.tar", "missing-option: tar needs -t, or -x with -O"],
    ["tar -tOxf a.tar", "missing-option: tar needs -t, or -x with -O"],
    ["tar -tf a.tar --extract", "missing-option: tar needs -t, or -x with -O"],
    ["tar cf a.tar b", "harmful-option: tar -c"],
    ["tar -tf a.tar -I ./evil", "harmful-option: tar -I"],
    ["tar -tf a.tar --use-compress-program=./evil", "harmful-option: tar --use-compress-program"],
    ["tar -tf a.tar --to-command=./evil", "harmful-option: tar --to-command"],
    ["tar -tf a.tar --checkpoint-action=exec=./evil", "harmful-option: tar --checkpoint-action"],
    ["tar -tf a.tar --index-file=out", "harmful-option: tar --index-file"],
    ["tar -tf a.tar -F ./evil", "harmful-option: tar -F"],
    ["tar -tf a.tar -T names", "harmful-option: tar -T"], // options may stand among the names
    ["tar tf host:a.tar", "network: tar host:a.tar"],
    ["tar --list --file=host:a.tar", "network: tar host:a.tar"],
    ['tar tf "host:/$x"', "network: tar …"],
    ['tar tf "a$x"', "network: tar …"],
    ["tar tfX a.tar", "syntax: tar -X"],
    ["tar tf", "syntax: tar -f"],
  ])("[GA-05] tar lists, or prints what it unpacks: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["tar tfv a.tar", "tar -t -f a.tar -v"],
    ["tar tfX a.tar skip b", "tar -t -f a.tar -X skip b"],
    ["tar -tfv a.tar", "tar -tfv a.tar"],
    ["tar t1f a.tar", undefined],
    ["tar 1tf a.tar", undefined],
  ])("[GA-05] tar's old style is spelled out: %s", (line, expected) => expect(canonical(line)).toBe(expected));

  it.each([
    ["unzip -l a.zip", "read"],
    ["unzip -p a.zip b.txt", "read"],
    ["unzip -qc a.zip b.txt", "read"],
    ["unzip -t a.zip", "read"],
    ["unzip -v", "read"],
    ["unzip -Z1 a.zip", "read"],
    ["unzip -h", "read"],
    ["unzip --help", "read"],
    ["unzip a.zip", "missing-option: unzip needs -l or -p or -v or -t or -c or -Z or -h or --help"],
    ["unzip -q a.zip", "missing-option: unzip needs -l or -p or -v or -t or -c or -Z or -h or --help"],
    ["unzip a.zip -l", "missing-option: unzip needs -l or -p or -v or -t or -c or -Z or -h or --help"],
    ["unzip -l -- --l a.zip", "unknown-option: unzip --"], // takes the -l back and unpacks
    ["unzip -l --l a.zip", "unknown-option: unzip --l"],
    ["unzip -l- a.zip", "unknown-option: unzip --"],
    ["unzip -d out a.zip", "harmful-option: unzip -d"],
    ["unzip -o a.zip", "harmful-option: unzip -o"],
    ["unzip -l -x a.zip", "harmful-option: unzip -x"],
    ["unzip -f a.zip", "harmful-option: unzip -f"],
    ["unzip -u a.zip", "harmful-option: unzip -u"],
    ["ar t lib.a", "read"],
    ["ar -t lib.a", "read"],
    ["ar tv lib.a", "read"],
    ["ar p lib.a a.o", "read"],
    ["gar tV lib.a", "read"],
    ["ar r lib.a a.o", "known-write: ar"],
    ["ar xt lib.a", "known-write: ar"],
    ["ar tx lib.a", "known-write: ar"],
    ["ar -x lib.a", "unknown-option: ar -x"],
    ["ar -v lib.a", "known-write: ar"],
    ["ar", "known-write: ar"],
    ["ar t @options", "operand: ar @file"],
    ["ar t lib.a --plugin ./evil.so", "unknown-option: ar --plugin"],
    ['ar t "./$x"', "dynamic-word: ar"],
    ["cpio -it < a.cpio", "read"],
    ["cpio --list -v --quiet < a.cpio", "read"],
    ["cpio -i < a.cpio", "missing-option: cpio needs -t or --list"],
    ["cpio -o", "unknown-option: cpio -o"],
    ["cpio -it 1 2 3 4 5 6 7 8", "read"],
    ["cpio -it 1 2 3 4 5 6 7 8 9", "operand: cpio: at most 8"],
    ["7z l a.7z", "read"],
    ["7z l -slt -ba a.7z", "read"],
    ["7za l a.7z", "read"],
    ["7z x a.7z", "known-write: 7z"],
    ["7z", "known-write: 7z"],
    ["7z l a.7z -oout", "unknown-option: 7z -o"],
    ["7z l @names", "operand: 7z @names"],
    ["7z l -- -x", "unknown-option: 7z --"],
  ])("[GA-05] are listed, not unpacked: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["ar r lib.a a.o", "Only ar t and ar p are reads."],
    ["7z x a.7z", "Only 7z l is a read."],
  ])("[GA-07] say what is a read: %s", (line, expected) => expect(hint(line)).toBe(expected));
});

describe("compressed files", () => {
  it.each([
    "gzip -c a.txt",
    "gzip -dc a.gz",
    "gzip --stdout --decompress a.gz",
    "gzip --to-stdout -9 a.txt",
    "gzip -c -k -d a.gz",
    "gunzip -c a.gz",
    "gzip -l a.gz",
    "gzip --list a.gz",
    "gzip -tv a.gz",
    "gzip --test a.gz",
    "pigz -dc a.gz",
    "gzip -V",
    "gzip --version",
    "gzip -h",
    "gzip --help",
    "bzip2 -dc a.bz2",
    "bunzip2 --stdout a.bz2",
    "bzip2 -tv a.bz2",
    "bzip2 --help",
    "xz -l a.xz",
    "xz --list --robot a.xz",
    "xz -dc -T 2 a.xz",
    "xz -c --threads=2 a.txt",
    "xz -H",
    "unxz -c a.xz",
    "lzma -c a.txt",
    "zstd -dc a.zst",
    "zstd -l a.zst",
    "zstd --test a.zst",
    "unzstd --stdout a.zst",
    "zcat a.gz",
    "zcat -f a.txt",
    "xzcat --force a.xz",
    "bzcat -q a.bz2",
    "zgrep -in TODO a.gz",
    "zgrep -e a -A 3 -m5 a.gz",
    "zgrep -3 --count a a.gz",
    "xzgrep --ignore-case a a.xz",
    "zstdgrep -l a a.zst",
  ])("[GA-05] are printed, listed or tested: %s", (line) => {
    expect(verdict(line)).toBe("read");
  });

  it.each([
    ["gzip a.txt", "gzip"],
    ["gzip -9 a.txt", "gzip"],
    ["gzip -d a.gz", "gzip"],
    ["gzip a.txt -c", "gzip"],
    ["gzip -t a.gz -d", "gzip"], // of -t and -d some take the last
    ["gzip -l -d a.gz", "gzip"],
    ["gzip -l -k a.gz", "gzip"],
    ["gzip -l --keep a.gz", "gzip"],
    ["gzip -l --decompress a.gz", "gzip"],
    ["gzip -l --uncompress a.gz", "gzip"],
    ["gzip -V a.txt", "gzip"], // BSD goes on to the file
    ["gzip --version a.txt", "gzip"],
    ["gunzip a.gz", "gunzip"],
    ["pigz a.txt", "pigz"],
    ["bzip2 a.txt", "bzip2"],
    ["bunzip2 -k a.bz2", "bunzip2"],
    ["xz a.txt", "xz"],
    ["xz -l -d a.xz", "xz"],
    ["unxz a.xz", "unxz"],
    ["zstd a.txt", "zstd"],
    ["zstd -t -d a.zst", "zstd"],
  ])("[GA-05] are not replaced: %s", (line, name) => {
    expect(verdict(line)).toBe(`missing-option: ${name} needs -c, or -l or -t alone`);
  });

  it.each([
    ["zstd -c a -o out", "harmful-option: zstd -o"],
    ["zstd -c --rm a", "harmful-option: zstd --rm"],
    ["zstd -c --output-dir-flat x a", "harmful-option: zstd --output-dir-flat"],
    ["zstd --train a b", "harmful-option: zstd --train"],
    ["zstd -c -D dictionary a", "harmful-option: zstd -D"],
    ["xz -c --files=names", "unknown-option: xz --files"],
    ["zcat -d a.gz", "unknown-option: zcat -d"],
    ["zgrep -f patterns a.gz", "unknown-option: zgrep -f"],
    ["zgrep x ./*.gz", "read"],
    ["zgrep x 'a\nb'", "operand: zgrep a\nb"], // old versions take the second line for a program
  ])("[GA-05] are read without further files and programs: %s", (line, expected) => {
    expect(verdict(line)).toBe(expected);
  });
});
