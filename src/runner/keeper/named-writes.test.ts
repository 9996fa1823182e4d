/** What a held tree tries to change is named, whoever in it tries and by whichever call; and the naming changes nothing besides. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { canHold } from "../../cli/run/can-hold.ts";
import { spokenTo } from "../../../test/kit/kept-tree.ts";
import { systemPrograms } from "../system-programs.ts";
import { processTree } from "./busy-writers.ts";
import { startKeeper } from "./keeper.ts";
import { whyUnnamed } from "./named-writes.ts";

const why = (await canHold()) ?? whyUnnamed({});
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const SHELL = 'while read -r line; do eval "$line" >/dev/null 2>&1 && echo "= yes" || echo "= no"; done; exit 7';

function named(argv: string[] = ["bash", "--norc", "-c", SHELL], env: NodeJS.ProcessEnv = {}) {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "hp-named-")));
  made.push(folder);
  const workspace = join(folder, "work space");
  const elsewhere = join(folder, "elsewhere");
  for (const path of [workspace, elsewhere]) mkdirSync(path);
  writeFileSync(join(workspace, "there"), "x");
  const told: string[] = [];
  let unnamed = 0;
  const keeper = startKeeper({
    workspace,
    places: [{ path: elsewhere, as: "writable" }],
    cwd: workspace,
    argv,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "ignore"],
    notice: () => undefined,
    names: {
      tried: ({ path, program }) => void told.push(`${path.replace(`${workspace}/`, "")} ${program}`),
      unnamed: () => void (unnamed += 1),
    },
  });
  if (keeper === undefined) throw new Error("no keeper");
  const spoken = spokenTo(keeper);
  async function over(): Promise<number> {
    keeper?.stdin?.end();
    return (await keeper?.ended) ?? -1;
  }
  return { keeper, ...spoken, over, told, folder, workspace, elsewhere, unnamed: () => unnamed };
}

const perl = (code: string): string => `perl -e '${code}'`;

describe.skipIf(why !== undefined)(`writes of a held tree${why === undefined ? "" : ` (${why})`}`, () => {
  it("[IG-03] are named by file and program, once each, and reading is not", async () => {
    const { does, over, told, elsewhere } = named();
    for (const line of ["echo x > a.txt", "cp there b.txt", "cat there", "ls", "echo x > a.txt"]) await does(line);
    await does(`echo x > ${elsewhere}/mine && echo x > /dev/null`);
    expect(await over()).toBe(7);
    expect(told).toEqual(["a.txt bash", "b.txt cp"]);
  });

  it("[IG-03] are named for each call that changes a file, where the mount is what refuses it", async () => {
    const { does, over, told } = named();
    const calls = [
      ["mkdir", "mkdir folder"],
      ["ln", "ln there hard"],
      ["ln", "ln -s there soft"],
      ["mknod", "mkfifo pipe"],
      ["rm", "rm there"],
      ["chmod", "chmod 700 ."],
      ["truncate", perl('truncate("there", 0)')],
      ["openat2", perl('my ($p, $h) = ("by-struct", pack("Q3", 65, 420, 0)); syscall(437, -100, $p, $h, 24)')],
      ["creat", perl('my $p = "created"; syscall(85, $p, 420)')],
    ];
    for (const [, line = ""] of calls) expect(await does(line)).toContain("=");
    await over();
    expect(told.map((one) => one.split(" ")[0])).toEqual([
      "folder",
      "hard",
      "soft",
      "pipe",
      "there",
      expect.stringContaining("/work"),
      ...(process.arch === "x64" ? ["by-struct", "created"] : ["by-struct"]),
    ]);
  });

  it("[IG-03] are not named where the call would fail or succeed anyway", async () => {
    const { does, over, told, workspace } = named();
    mkdirSync(join(workspace, "folder"));
    for (const line of [
      "mkdir folder",
      "mkdir -p folder",
      "rm nothing",
      "chmod 1 nothing",
      "touch no/where",
      "echo > no/x",
    ])
      await does(line);
    await does(perl('sysopen(F, "there", 0301)')); // O_CREAT and O_EXCL
    await over();
    expect(told).toEqual([]);
  });

  it("[IG-03] are named by where they lead: a link, a folder's descriptor, another current folder", async () => {
    const { does, over, told, workspace, elsewhere } = named();
    mkdirSync(join(workspace, "deep"));
    symlinkSync(workspace, join(elsewhere, "link"));
    symlinkSync("there", join(workspace, "alias"));
    await does(`echo x > ${elsewhere}/link/by-link`);
    await does("cd deep && echo x > ../deep/./moved; cd ..");
    await does("echo x > alias");
    await does(perl('opendir(D, "deep"); my $p = "at"; syscall(257, fileno(D), $p, 65, 420)'));
    await over();
    expect(told.map((one) => one.split(" ")[0])).toEqual([
      "by-link",
      "deep/moved",
      "there",
      ...(process.arch === "x64" ? ["deep/at"] : []),
    ]);
  });

  it("[IG-03] succeed unnamed once it is released, and are named anew when it is held again", async () => {
    const { does, set, over, told, workspace } = named();
    await does("echo x > a.txt");
    expect(await set(true)).toBe(true);
    expect([await does("echo x > a.txt"), await does("mkdir deep")]).toEqual(["= yes", "= yes"]);
    expect(await set(false)).toBe(true);
    expect(await does("echo y > a.txt")).toBe("= no");
    await over();
    expect([told, readFileSync(join(workspace, "a.txt"), "utf8")]).toEqual([["a.txt bash", "a.txt bash"], "x\n"]);
  });

  it("[IG-03] are named of threads, of what forked twice, and of who loaded a filter of its own", async () => {
    const { does, over, told } = named();
    await does(`node -e 'require("fs").writeFile("by-thread", "x", () => 0)'`);
    await does(
      perl(
        'fork || (fork || (exec("touch", "orphan")), exit); wait; select(undef, undef, undef, 0.01) while !-e "/nothing" && $i++ < 20',
      ),
    );
    const allow = 'my $s = pack("SCCL", 6, 0, 0, 0x7fff0000); my $p = pack("S x6 P", 1, $s)';
    expect(await does(perl(`${allow}; syscall(317, 1, 0, $p) == 0 or exit 1; exec("touch", "filtered")`))).toBe("= no");
    await over();
    expect(new Set(told.map((one) => one.split(" ")[0]))).toEqual(new Set(["by-thread", "filtered", "orphan"]));
  });

  it("[IG-03] are named of a program without a library, and of one for 32 bits", async () => {
    if (process.arch !== "x64") return;
    const { does, over, told, elsewhere } = named();
    const file = join(elsewhere, "small");
    writeFileSync(file, elf32("from-32"));
    chmodSync(file, 0o755);
    const runs = spawnSync(file, { cwd: elsewhere }).status === 0; // a kernel may be without them
    await does(file);
    await over();
    expect(told).toEqual(runs ? ["from-32 small"] : []);
  });

  it("[IG-03] leave the program its variables, signals, exit code and descriptors", async () => {
    const line =
      'printf "%s|" "$A" "${PERL_BADLANG-none}" "${NODE_CHANNEL_FD-none}"; ls /proc/self/fd | grep -x "[0-9]" | tr "\\n" " "; kill -INT $$; echo still';
    const { keeper, said } = named(["bash", "--norc", "-c", line], { A: "a\nb=c", LC_ALL: "none_NONE" });
    expect(await keeper.ended).toBe(130);
    expect(said()).toBe("a\nb=c|none|none|0 1 2 3 ");
  });

  it("[IG-03] end with the supervisor: no call waits for one that is gone", async () => {
    const { keeper, does, workspace } = named();
    await does("echo x > a.txt");
    const supervisor = processTree(process.pid).find((pid) => commandOf(pid).includes("named_max"));
    expect(supervisor).toBeDefined();
    process.kill(supervisor ?? 0, "SIGKILL");
    expect(await keeper.ended).toBe(137);
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
  });

  it("[IG-03] start what is not there as a shell would: code 127", async () => {
    const { keeper } = named(["/nothing/here"]);
    expect(await keeper.ended).toBe(127);
  });

  it("[IG-03] say when nothing is named: a variable steers perl", () => {
    expect(whyUnnamed({ PERL5OPT: "-Mx" })).toBe("the variable PERL5OPT steers perl");
    expect(systemPrograms().find("perl")).toBeDefined();
  });
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** open(name, O_CREAT | O_WRONLY) and exit(0), by the calls of 32 bits and nothing else. */
function elf32(name: string): Buffer {
  const base = 0x0804_8000;
  const head = 52 + 32;
  const code = Buffer.from([
    0xb8, 5, 0, 0, 0, 0xbb, 0, 0, 0, 0, 0xb9, 0x41, 0, 0, 0, 0xba, 0xa4, 1, 0, 0, 0xcd, 0x80, 0xb8, 1, 0, 0, 0, 0x31,
    0xdb, 0xcd, 0x80,
  ]);
  code.writeUInt32LE(base + head + code.length, 6);
  const text = Buffer.from(`${name}\0`);
  const size = head + code.length + text.length;
  const file = Buffer.alloc(size);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]).copy(file);
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(3, 18);
  file.writeUInt32LE(1, 20);
  file.writeUInt32LE(base + head, 24);
  file.writeUInt32LE(52, 28);
  file.writeUInt16LE(52, 40);
  file.writeUInt16LE(32, 42);
  file.writeUInt16LE(1, 44);
  for (const [at, value] of [1, 0, base, base, size, size, 5, 0x1000].entries()) file.writeUInt32LE(value, 52 + 4 * at);
  code.copy(file, head);
  text.copy(file, head + code.length);
  return file;
}
