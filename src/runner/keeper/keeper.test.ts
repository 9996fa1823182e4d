import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { clearKeptTrees, keptTree } from "../../../test/kit/kept-tree.ts";
import { canHold } from "../../cli/run/can-hold.ts";
import { processTree } from "./busy-writers.ts";

const why = await canHold();
const made: string[] = [];
const unmount: string[] = [];
afterEach(() => {
  for (const folder of unmount.splice(0)) spawnSync("umount", ["-l", folder]);
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  clearKeptTrees();
});

const REFUSED = expect.stringContaining("= no");

describe.skipIf(why !== undefined)(`a kept process tree${why === undefined ? "" : ` (${why})`}`, () => {
  it("[IG-03, GA-13] writes nothing before it is released, writes then without a restart, and is held again", async () => {
    const { keeper, does, set, workspace, secret } = keptTree();
    expect(await does("echo x > a.txt")).toEqual(REFUSED);
    expect(await does("mkdir b")).toEqual(REFUSED);
    expect(await does(`ls ${secret}/..; touch ${secret}/x`)).toEqual(REFUSED);
    expect(await does("touch /tmp/mine")).toBe("= yes");
    expect(await set(true)).toBe(true);
    expect(await does("echo x > a.txt")).toBe("= yes");
    expect(await does(`mount -o remount,bind,rw ${workspace}`)).toEqual(REFUSED);
    expect(await does("unshare -r true")).toEqual(REFUSED);
    expect(await set(false)).toBe(true);
    expect(await does("echo y >> a.txt")).toEqual(REFUSED);
    expect(await does(`mount -o remount,bind,rw ${workspace}`)).toEqual(REFUSED);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("x\n");
    keeper.stdin?.end();
    expect(await keeper.ended).toBe(7);
  });

  it("[IG-03] ends who still writes when it is held again, and says so", async () => {
    const { keeper, does, set, notices, workspace } = keptTree({ writersMs: 0 });
    await set(true);
    await does("sleep 600 > log.txt & disown");
    await expect.poll(() => existsSync(join(workspace, "log.txt"))).toBe(true);
    expect(await set(false)).toBe(true);
    expect(notices.join()).toMatch(/^ended, because they still wrote while the run is held: sleep \(\d+\)$/);
    expect(await does("echo y > b.txt")).toEqual(REFUSED);
    keeper.stdin?.end();
    await keeper.ended;
  });

  it("[IG-03] ends also who still writes and was stopped", async () => {
    const { keeper, does, set, notices, workspace } = keptTree({ writersMs: 0 });
    await set(true);
    await does("sleep 600 > log.txt & disown");
    await expect.poll(() => existsSync(join(workspace, "log.txt"))).toBe(true);
    await does("kill -STOP $!");
    expect(await set(false)).toBe(true);
    expect(notices.join()).toMatch(/: (?:sleep|bash) \(\d+\)$/);
    expect(await does("echo y > b.txt")).toEqual(REFUSED);
    keeper.stdin?.end();
    await keeper.ended;
  });

  it("[IG-03] ends with who takes its orders: nothing stays released that nobody can hold", async () => {
    const { keeper, does, set } = keptTree();
    await set(true);
    expect(await does("echo x > a.txt")).toBe("= yes");
    const [main] = processTree(process.pid).filter((pid) => isKeeperScript(pid));
    const orders = processTree(main ?? 0).find((pid) => pid !== main && isKeeperScript(pid));
    expect(orders).toBeDefined();
    process.kill(orders ?? 0, "SIGKILL");
    expect(await keeper.ended).toBe(137);
    expect(await set(false)).toBe(false);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "[IG-03] flips a workspace that is a mount of its own, with whatever restrictions (only root can make one)",
    async () => {
      const { keeper, does, set, workspace } = keptTree({
        prepare: (folder) => {
          const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "nosuid,nodev,noexec", "tmpfs", folder]);
          if (mounted.status !== 0) throw new Error(String(mounted.stderr));
          unmount.push(folder);
        },
      });
      expect(await does("echo x > a.txt")).toEqual(REFUSED);
      expect(await set(true)).toBe(true);
      expect(await does("echo x > a.txt")).toBe("= yes");
      expect(await does("cp /bin/true t; ./t")).toEqual(REFUSED); // noexec stays
      expect(await set(false)).toBe(true);
      expect(await does("echo y > a.txt")).toEqual(REFUSED);
      expect(existsSync(join(workspace, "a.txt"))).toBe(true);
      keeper.stdin?.end();
      await keeper.ended;
    },
  );

  it("[IG-03] has the keeper's own programs take none of its variables, by which they could load code that it wrote", async () => {
    const { keeper, does, set, traces } = keptTree({
      env: (folder) => ({ LD_DEBUG: "libs", LD_DEBUG_OUTPUT: `${folder}/ld` }),
    });
    expect(await does("true")).toBe("= yes");
    const before = traces();
    expect(before.length).toBeGreaterThan(0); // every program that has the variables leaves one
    expect(await set(true)).toBe(true);
    expect(traces()).toEqual(before);
    keeper.stdin?.end();
    await keeper.ended;
  });

  it("[IG-03] types nothing into the terminal that it shares", async () => {
    const { keeper, does } = keptTree();
    expect(await does(`perl -e 'my $c = "x"; ioctl(STDIN, 0x5412, $c) or print "$!\\n"'`)).toContain(
      "Operation not permitted",
    );
    keeper.stdin?.end();
    await keeper.ended;
  });

  it("[IG-03, GA-13] makes no socket that leads to the machine below this one, past its own network", async () => {
    const { does, keeper } = keptTree();
    const socket = (kind: number) =>
      does(`perl -e 'socket(my $s, ${kind}, 1, 0) or do { print 0 + $!, chr(10); exit 1 }'`);
    expect([await socket(40), await socket(2)]).toEqual(["1\n= no", "= yes"]); // AF_VSOCK is denied, AF_INET is there
    const ring = await does(`perl -e 'exit(syscall(425, 0, 0) == -1 && $! == 38 ? 0 : 1)'`);
    expect(ring).toBe("= yes"); // io_uring makes sockets without that call
    keeper.stdin?.end();
    await keeper.ended;
  });

  it("[IG-03] hands signals on to the program", async () => {
    const { keeper, does } = keptTree();
    expect(await does("trap 'exit 42' TERM")).toBe("= yes");
    keeper.signal("SIGTERM");
    let code: number | undefined;
    void keeper.ended.then((ended) => (code = ended));
    const reads = (): number | undefined => (keeper.stdin?.write("true\n"), code); // a shell looks at its signals between lines
    await expect.poll(reads).toBe(42);
  });

  it("[IG-03] lets Ctrl+C and Ctrl+\\ end what runs in it, and is not ended by them itself", async () => {
    const { keeper, does } = keptTree();
    for (const name of ["INT", "QUIT"]) {
      const said = await does(`(ulimit -c 0; perl -e 'kill ${name} => $$; print "still here\\n"')`);
      expect([name, said.endsWith("= no"), /^still here/m.test(said)]).toEqual([name, true, false]);
    }
    keeper.stdin?.end();
    await keeper.ended;
  });

  it.each([
    ["", ""],
    [", its supervisor too", "names: { tried() {}, unnamed() {} },"],
  ])("[IG-03] dies with its keeper%s", async (_what, names) => {
    const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "hp-keeper-")));
    made.push(folder);
    const options = {
      workspace: folder,
      places: [],
      cwd: folder,
      argv: ["bash", "-c", "setsid sleep 600 & echo up; wait"],
      stdio: ["ignore", "inherit", "ignore"],
    };
    const program = `
      import { startKeeper } from ${JSON.stringify(new URL("./keeper.ts", import.meta.url).href)};
      startKeeper({ ...${JSON.stringify(options)}, env: process.env, ${names} notice: () => {} });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (piece: Buffer) => (said += piece.toString("utf8")));
    await expect.poll(() => said).toBe("up\n");
    const tree = processTree(child.pid ?? 0).filter((pid) => pid !== child.pid);
    expect(tree.length).toBeGreaterThan(3);
    child.kill("SIGKILL");
    const isAlive = (pid: number): boolean => !["", "Z"].includes(stateOf(pid));
    await expect.poll(() => tree.filter(isAlive)).toEqual([]);
  });
});

/** Bash that runs the keeper's script: it itself, and the part of it that takes orders. */
function isKeeperScript(pid: number): boolean {
  const words = textOf(`/proc/${pid}/cmdline`).split("\0");
  return words[0]?.endsWith("bash") === true && words.includes("holdpoint") && !words.includes("unshare");
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function stateOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2, text.lastIndexOf(")") + 3);
  } catch {
    return "";
  }
}
