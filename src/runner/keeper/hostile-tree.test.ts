/** What a program under the keeper tries in order to stay unheld, or to reach what is not its own. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { clearKeptTrees, type KeptOptions, keptTree } from "../../../test/kit/kept-tree.ts";
import { canHold } from "../../cli/run/can-hold.ts";

const why = await canHold();
const unmount: string[] = [];
afterEach(() => {
  for (const folder of unmount.splice(0)) {
    spawnSync("umount", ["-l", folder]);
    rmdirSync(folder);
  }
  clearKeptTrees();
});

const REFUSED = expect.stringContaining("= no");
const perl = (code: string): string => `perl -e '${code}'`;

/** Moves the folder above the workspace away, and has its name lead to another mount. */
const exchanged = ({ folder, workspace }: { folder: string; workspace: string }): string =>
  `cd / && mv ${folder} ${folder}-moved && mkdir ${folder} && ln -s /dev ${workspace}`;

/** Where the folder above the workspace is one that the tree may write to. */
const ABOVE: readonly [string, KeptOptions][] = [
  ["among temporary files", {}],
  ["in a folder that it is shown for writing", { places: (folder) => [{ path: join(folder, ".."), as: "writable" }] }],
];

describe.skipIf(why !== undefined)(`a hostile tree${why === undefined ? "" : ` (${why})`}`, () => {
  it.each(ABOVE)("[IG-03] is held in the workspace itself, which it cannot exchange: %s", async (_where, options) => {
    const tree = keptTree(options);
    expect(await tree.set(true)).toBe(true);
    expect(await tree.does(exchanged(tree))).toEqual(REFUSED);
    expect(await tree.set(false)).toBe(true);
    expect(await tree.does(`touch ${tree.workspace}/a ${tree.folder}-moved/workspace/a`)).toEqual(REFUSED);
    expect(existsSync(join(tree.workspace, "a"))).toBe(false);
    tree.keeper.stdin?.end();
    await tree.keeper.ended;
  });

  it("[IG-03] takes no copy of the mounts along that would stay writable", async () => {
    const { keeper, does, set } = keptTree();
    await set(true);
    expect(await does("unshare -m true")).toEqual(REFUSED);
    expect(await does("mount -t tmpfs tmpfs .")).toEqual(REFUSED);
    expect(await does("chroot . /bin/true")).toEqual(REFUSED);
    const eff = await does("grep -E '^Cap(Prm|Eff|Bnd):' /proc/self/status | cut -f 2 | sort -u");
    expect(eff).toMatch(process.getuid?.() === 0 ? /^0{15}b\n= yes$/ : /^0{16}\n= yes$/); // of root's only those about owners of files
    keeper.stdin?.end();
    await keeper.ended;
  });

  it("[IG-03, GA-13] changes no setting of the kernel, also not as root", async () => {
    const { keeper, does } = keptTree();
    for (const path of ["kernel/core_pattern", "vm/drop_caches", "fs/protected_hardlinks"])
      expect([path, await does(`: >> /proc/sys/${path}`)]).toEqual([path, REFUSED]);
    keeper.stdin?.end();
    await keeper.ended;
  });

  it("[IG-03, GA-13] reaches no keyring of the person's session", async () => {
    const { keeper, does } = keptTree();
    const calls = process.arch === "arm64" ? { add: 217, keyctl: 219 } : { add: 248, keyctl: 250 };
    const add = `my ($t, $d, $p) = ("user", "hp", "x"); exit(syscall(${calls.add}, $t, $d, $p, 1, -3) < 0 && $! == 1 ? 0 : 1)`;
    expect(await does(perl(add))).toBe("= yes");
    expect(await does(perl(`exit(syscall(${calls.keyctl}, 6, -3, 0, 0, 0) < 0 && $! == 1 ? 0 : 1)`))).toBe("= yes");
    keeper.stdin?.end();
    await keeper.ended;
  });

  it.skipIf(process.getuid?.() !== 0)(
    "[IG-03, GA-13] sees what is hidden under no other name either (only root can mount a second one)",
    async () => {
      const other = mkdtempSync("/var/tmp/hp-other-"); // seen by the tree, unlike what lies among its temporary files
      const { keeper, does } = keptTree({
        prepare: (_workspace, folder) => {
          writeFileSync(join(folder, "secret", "key"), "hush\n");
          const mounted = spawnSync("mount", ["--bind", join(folder, "secret"), other]);
          if (mounted.status !== 0) throw new Error(String(mounted.stderr));
          unmount.push(other);
        },
      });
      expect(await does(`ls ${other}`)).toBe("= yes");
      expect(await does(`cat ${other}/key`)).toEqual(REFUSED);
      keeper.stdin?.end();
      await keeper.ended;
    },
  );

  it("[IG-03] is held again although a file stays mapped whose descriptor was closed", async () => {
    const { keeper, does, set, workspace } = keptTree({ writersMs: 0 });
    await set(true);
    await does("echo before > a.txt");
    const mmap = process.arch === "arm64" ? 222 : 9;
    const wait = 'syswrite(STDOUT, "up\\n"); sleep 600';
    await does(
      `${perl(`open(F, "+<", "a.txt"); my $at = syscall(${mmap}, 0, 4096, 3, 1, fileno(F), 0); close F; ${wait}`)} > /tmp/mapped & until grep -q up /tmp/mapped; do :; done`,
    );
    expect(await set(false)).toBe(true);
    expect(await does("kill -0 $!")).toEqual(REFUSED);
    expect(await does("echo after > a.txt")).toEqual(REFUSED);
    keeper.stdin?.end();
    await keeper.ended;
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("before\n");
  });

  it("[IG-03] does not outlive its keeper's hold by making writers without end", async () => {
    const { keeper, does, set, workspace } = keptTree({ writersMs: 0 });
    await set(true);
    await does("for i in 1 2 3; do (while :; do (: >> again; echo x >> again) & wait; done) & done");
    await expect.poll(() => existsSync(join(workspace, "again"))).toBe(true);
    const held = await set(false);
    const size = (): number => readFileSync(join(workspace, "again")).length;
    const before = size();
    if (held) await does("for i in 1 2 3; do /bin/true; done");
    expect(size()).toBe(before);
    keeper.stdin?.end();
    keeper.signal("SIGKILL");
    await keeper.ended;
  });
});
