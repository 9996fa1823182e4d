import { describe, expect, it } from "vitest";
import { hint, verdict } from "../../../../test/kit/shell-verdict.ts";

describe("listing, sizes, paths, identity, numbers", () => {
  it.each([
    "ls -la --color=always src",
    "cat -A a.txt",
    "head -n 5 -- *",
    "tail -c +10 a.txt",
    "cut -d: -f1 /etc/passwd",
    "stat -c '%s %n' a.txt",
    "du -sh .",
    "df -h",
    "md5sum -c sums",
    "jq '.a | keys' package.json",
    "seq 1 10",
    "id -un",
    "uname -a",
    "printenv PATH",
    "readelf -h /bin/ls",
    "zipinfo a.zip",
    "wc -l $files",
    "whereis git",
  ])("[GA-05] no option of it writes: %s", (line) => expect(verdict(line)).toBe("read"));

  it.each([
    ["date", "read"],
    ["date -u -R", "read"],
    ["date -Iseconds", "read"],
    ["date -I", "read"],
    ["date -d '2 days ago' +%F", "read"],
    ["date -r a.txt", "read"],
    ["date -f dates.txt +%s", "read"],
    ["date -j -f %F 2024-01-01 +%s", "operand: date: at most 1"],
    ["date -j -n -v+1d +%F", "read"],
    ["date --iso-8601=ns", "read"],
    ["date --rfc-3339=date --utc", "read"],
    ["date --reference=a.txt", "read"],
    ["gdate +%s", "read"],
    ["date -s 2020-01-01", "harmful-option: date -s"],
    ["date -us 2020-01-01", "harmful-option: date -s"],
    ["date --set=2020-01-01", "harmful-option: date --set"],
    ["date --se=2020-01-01", "unknown-option: date --se"],
    ["date 010100002020", "operand: date 010100002020"], // sets the clock
    ['date "1$x"', "operand: date …"],
    ['date "+%F$x"', "read"],
    ["date +%F +%s", "operand: date: at most 1"], // BSD sets the clock by the second
  ])("[GA-05] date shows the clock: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it("[GA-07] date says which operand is a read", () => {
    expect(hint("date 0101")).toBe("Only a +format is a read; other operands set the clock.");
  });

  it.each([
    ["who", "read"],
    ["who -a", "read"],
    ["who -buHT", "read"],
    ["who am i", "read"],
    ["who --count", "read"],
    ["who --lookup", "harmful-option: who --lookup"], // asks a name server
    ["who --loo ./utmp", "unknown-option: who --loo"],
  ])("[GA-05] who asks nobody: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["tree", "read"],
    ["tree -L 2 -I 'node_modules|dist' src", "read"],
    ["tree -aL 1", "read"],
    ["tree -adfh -P '*.ts' --dirsfirst --noreport", "read"],
    ["tree -J --gitignore --sort=size --filelimit 20", "read"],
    ["tree -H . -T title", "read"],
    ["tree -o out.txt", "harmful-option: tree -o"],
    ["tree -ao out.txt", "harmful-option: tree -o"],
    ["tree -L -o out", "unknown-option: tree -L -o"],
    ["tree -L2", "unknown-option: tree -L"],
    ["tree -R", "harmful-option: tree -R"], // with -H and -L it writes a page into each folder
    ["tree --output=x", "unknown-option: tree --output"],
  ])("[GA-05] tree draws: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["file a.bin", "read"],
    ["file -bi a.bin", "read"],
    ["file --brief --mime-type a.bin", "read"],
    ["file -F : -e ascii -P bytes=9 -m /usr/share/misc/magic a", "read"],
    ["file -L -k -s /dev/null", "read"],
    ["file -C -m magic", "harmful-option: file -C"], // writes magic.mgc
    ["file --compile", "harmful-option: file --compile"],
    ["file -z a.gz", "harmful-option: file -z"], // runs gzip
    ["file -Z a.gz", "harmful-option: file -Z"],
    ["file --uncompress a.gz", "harmful-option: file --uncompress"],
    ["file -p a", "harmful-option: file -p"],
    ["file --preserve-date a", "harmful-option: file --preserve-date"],
    ["file -f names", "unknown-option: file -f"],
  ])("[GA-05] file looks into files: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["ls | tee /dev/null", "read"],
    ["ls | tee /dev/stderr", "read"],
    ["ls | tee -a /dev/stdout", "read"],
    ["ls | tee", "read"],
    ["ls | tee --append /dev/null", "read"],
    ["ls | tee out.txt", "known-write: tee out.txt"],
    ["ls | tee /dev/null out.txt", "known-write: tee out.txt"],
    ["ls | tee -a out.txt", "known-write: tee out.txt"],
    ["ls | tee ''", "known-write: tee "],
    ['ls | tee "./$x"', "known-write: tee …"],
    ["sleep 5", "read"],
    ["sleep 0.5s", "read"],
    ["sleep 2m", "read"],
    ["sleep --help", "read"],
    ["sleep 1h", "operand: sleep 1h"],
    ["sleep x1", "operand: sleep x1"],
    ["sleep 1 2", "operand: sleep: at most 1"],
    ["arch", "read"],
    ["arch -x86_64 ./evil", "unknown-option: arch -x"],
    ["arch ./evil", "operand: arch: at most 0"], // macOS runs it
  ])("[GA-05] %s: %s", (line, expected) => expect(verdict(line)).toBe(expected));
});
