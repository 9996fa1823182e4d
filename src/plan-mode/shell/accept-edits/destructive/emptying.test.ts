import { expect, it } from "vitest";
import type { EditPlace } from "../finding.ts";
import { inspectCommand } from "../inspect.ts";

const PLACE: EditPlace = { cwd: "/w", home: "/home/u" };
const judged = (command: string, place: EditPlace = PLACE): string => inspectCommand(command, place)?.code ?? "passes";

it.each([
  ["cp -f /dev/null f", "cp -f a f"],
  ["install /dev/null f", "install a f"],
  ["ln -sf /dev/null f", "ln -s /dev/null f"], // without force it fails where a file is
  ["ln -s --force /dev/null f", "ln -s --forced a f"],
  ["mv a b /dev/null", "mv /dev/null a"],
  ["truncate -s 0 f", "truncate -s 10 f"],
  ["truncate -s0 f", "truncate -s10 f"],
  ["truncate -cs0 f", "truncate -c f"],
  ["truncate --size 0 f", "truncate --size 5 f"],
  ["truncate --size=00K f", "truncate --size=1K f"],
  ["truncate --si=0 f", "truncate --si=1 f"],
  ["truncate -s '<5' f", "truncate -s '>5' f"],
  ["truncate -s %5 f", "truncate -s +5 f"],
  ["truncate -s /5 f", "truncate -s 5M f"],
  [": | tee f", "echo a | tee f"],
  [": | tee a b", ": | tee -a f"],
  ["tee f <<< ''", "tee -ia f </dev/null"],
  ["tee -i f </dev/null", "tee --append f </dev/null"],
  ["sponge f </dev/null", "sponge f < a"],
  ["dd if=/dev/null of=f", "dd if=/dev/null of=f conv=notrunc"],
  ["dd of=f count=0", "dd of=f count=1"],
  [": | dd of=f", "echo a | dd of=f"],
  ["dd if=/dev/null of=f conv=sync", "dd if=/dev/null of=f conv=sync,notrunc"],
  ["dd if=/dev/null of=f bs=1", "dd if=/dev/null bs=1"],
  ["sed -i d f", "sed d f"],
  ["sed -i '1,$d' f", "sed -i '2,$d' f"],
  ["sed --in-place d f", "sed --in-place 1d f"],
  ["sed -Ei ' d' f", "sed -E d f"],
  ["vim -es '+%d' '+wq' f", "vim -es '+5d' '+wq' f"],
  ["vi '+%delete' f", "vi '+%delegate' f"],
  ["nvim -c 'silent! %d' f", "nvim -c 'silent! 1d' f"],
  ["ex -c ':1,$d' f", "ex -c ':1,5d' f"],
  ["crontab /dev/null", "crontab f"],
  ["ln -f /dev/null f", "ln -s a-f /dev/null"],
  ["ln -s --force /dev/null f", "ln -s x--force /dev/null"],
  ["ln --force /dev/null f", "ln --forced /dev/null"],
  ["mv a /dev/null", "mv /dev/null a"],
  ["echo '  ' > f", "echo ' a ' > f"],
  ["tee f <<< '  '", "tee f <<< ' a '"],
  ["tee x-a f </dev/null", "tee -a x </dev/null"],
  ["tee x--append f </dev/null", "tee --append f </dev/null"],
  [": | dd of=f", ": | dd if=a of=f"],
  ["dd if=/dev/null of=f xconv=notrunc", "dd if=/dev/null of=f conv=notrunc"],
  ["sed -i.bak d f", "sed x-i d f"],
  ["sed --in-place=.b d f", "sed x--in-place d f"],
  ["sed -i d f", "sed -i dx f"],
  ["sed -i '1,$ d' f", "sed -i 1d f"],
  ["vim '+silent %d' f", "vim +x%d f"],
  [": > /dev/nullx", ": > /dev/null"],
  [": > x/dev/null", ": >> x/dev/null"],
  ["truncate -s -500 f", "truncate -s 500 f"],
  ["truncate --size=000 f", "truncate --size=100 f"],
  ["tee --appendix f </dev/null", "tee -a f </dev/null"],
  ["truncate --s=0 f", "truncate -r x f"],
  ["truncate -s 0x f", "truncate f x-s0"],
  ["truncate -cs 0 f", "truncate -cs 5 f"],
])("[AE-02, AE-06] %s leaves nothing in a file, %s does not", (empties, keeps) => {
  expect([judged(empties), judged(keeps)]).toEqual(["empties", "passes"]);
});

it.each("cat tac sort uniq sed awk gawk grep egrep rg head tail cut tr jq yq fold nl rev".split(" "))(
  "[AE-02] %s finds nothing in the file that its own redirection has emptied",
  (reader) => {
    expect([judged(`${reader} x f > f`), judged(`${reader} x f > g`), judged(`${reader} x f >> f`)]).toEqual([
      "empties",
      "passes",
      "passes",
    ]);
  },
);

it("[AE-06] a program that nobody knows to read it may name the file that it writes", () => {
  expect(judged("make f > f")).toBe("passes");
});

it.each(["null", "stdout", "stderr", "tty", "fd/31", "pts/12", "zero", "full", "random", "urandom", "shm/xy"])(
  "[AE-06] nothing is lost in /dev/%s",
  (device) => {
    expect(judged(`: > /dev/${device}`)).toBe("passes");
  },
);

it.each("sda hdb vdc xvda nvme0n1 mmcblk0 loop1 md0 dm-0 mapper/x disk/by-id/x disk0 rdisk1 sr0".split(" "))(
  "[AE-02] a disk is erased by writing to it: /dev/%s",
  (disk) => {
    const writes = [`cat a > /dev/${disk}`, `cat a >> /dev/${disk}`, `cp a /dev/${disk}`, `echo a | tee /dev/${disk}`];
    const others = [`install a /dev/${disk}`, `sponge /dev/${disk} < a`, `mv a /dev/${disk}`];
    expect([...writes, ...others].map((command) => judged(command))).toEqual(Array(7).fill("writes-disk"));
    expect([judged(`cp /dev/${disk} a`), judged(`cat /dev/${disk} > a`)]).toEqual(["passes", "passes"]);
    expect(judged(`cat a > x/dev/${disk}`)).toBe("passes");
  },
);

it("[AE-02] a file that is known not to be there loses nothing, if nothing was put there on the way", () => {
  const there = new Set(["/", "/w", "/w/old"]);
  const place: EditPlace = { ...PLACE, realpath: (path) => (there.has(path) ? path : undefined) };
  const commands = [": > new", ": > old", ": > /new", ": > none/new", ': > "new$x"', ": > 'new?'", ": > 'new['"];
  expect(commands.map((command) => judged(command, place))).toEqual([
    "passes",
    "empties",
    "passes",
    "empties",
    "empties",
    "empties",
    "empties",
  ]);
  expect(judged("cp old new; truncate -s 0 new", place)).toBe("empties");
  expect(judged("cp old newer; truncate -s 0 new", place)).toBe("passes");
  expect(judged("truncate -s 0 new", place)).toBe("passes");
  expect(judged("truncate -s 0 new old", place)).toBe("empties");
  expect(judged("cd / && : > new", place)).toBe("passes");
  expect(judged("touch w; : > /w/new", place)).toBe("passes");
  expect(judged("mv x /; : > /new", place)).toBe("empties");
  there.add("/w/0");
  expect(judged("truncate -s 0 new", place)).toBe("passes"); // the size is no file, even if there is one of that name
});

it.each([
  ["tee /dev/sda f < a", "tee f < /dev/sda"],
  ["echo a | tee f /dev/sda", "echo /dev/sda | tee f"],
  ["sponge /dev/sda x < a", "sponge x < a"],
  ["cp a b c /dev/sda", "cp /dev/sda b c d"],
  ["dd if=a bs=1 of=/dev/sda", "dd if=/dev/sda of=a"],
  ["echo a | tee -- /dev/sda", "cat /dev/sda"],
])("[AE-02] %s writes to a disk, %s does not", (writes, reads) => {
  expect(judged(writes)).toMatch(/^(?:writes-disk|dd-destroys)$/);
  expect(judged(reads)).toBe("passes");
});

it("[AE-05] says what it matched, as the person would write it", () => {
  expect(inspectCommand(": > f", PLACE)).toEqual({ class: "destructive", code: "empties", matched: "> f" });
  expect(inspectCommand("sort f > f", PLACE)?.matched).toBe("sort f > f");
  expect(inspectCommand("cp /dev/null f", PLACE)?.matched).toBe("cp /dev/null f");
  expect(inspectCommand("cat a > /dev/sda", PLACE)?.matched).toBe("> /dev/sda");
  expect(inspectCommand("cp a /dev/sda", PLACE)?.matched).toBe("cp a /dev/sda");
});
