/** Machines as they are found: disks with spaces in their names, mounts below a workspace, folders that others closed. */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runs } from "../../test/kit/exec-world.ts";
import { runEnclosed } from "../../test/kit/run-enclosed.ts";
import { probedSandbox, type Sandbox } from "./sandbox.ts";
import { inWords } from "./spawn-enclosed.ts";
import type { View } from "./view.ts";

const kinds: (readonly [string, Sandbox])[] = [];
for (const builder of ["bubblewrap", "perl", "util-linux"] as const) {
  const sandbox = probedSandbox({ builders: [builder] });
  if ((await sandbox.kind()) === builder) kinds.push([builder, sandbox]);
  else process.stdout.write(`odd machines with ${builder}: skipped, it does not work here\n`);
}

/** Only root mounts. */
const isRoot = process.getuid?.() === 0;

function folder(): string {
  const made = realpathSync(mkdtempSync("/tmp/holdpoint-odd-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function mountAt(path: string, options = "mode=1777"): void {
  mkdirSync(path, { recursive: true });
  expect(spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]).status).toBe(0);
  onTestFinished(() => void spawnSync("umount", ["--lazy", path]));
}

type Order = { view: Partial<View>; script: string; cwd?: string; env?: Record<string, string> };

async function run(sandbox: Sandbox, { view, script, cwd = "/", env = {} }: Order): Promise<string> {
  const whole: View = { rest: "read-only", network: false, places: [], ...view };
  const enclosed = await sandbox.enclose(whole, { cwd, argv: ["/bin/bash", "--norc", "-c", script] });
  if (enclosed === undefined) return "no sandbox";
  // bash takes the socket of a Node pipe for a remote log-in and would read the start-up file of whoever runs this
  return (await runEnclosed(enclosed, { env })).trim();
}

/** What a script says that a user without any rights runs; `sandbox` is there for it. */
function asOrdinaryUser(kind: string, script: string): string {
  const source = JSON.stringify(new URL("./sandbox.ts", import.meta.url).href);
  const whole = `const sandbox = (await import(${source})).probedSandbox({ builders: [${JSON.stringify(kind)}] });\n${script}`;
  const node = [process.execPath, "--no-warnings", "--input-type=module", "-e", whole];
  const user = ["--reuid=1000", "--regid=1000", "--clear-groups"];
  return spawnSync("setpriv", [...user, ...node], { encoding: "utf8", env: {}, cwd: "/" }).stdout.trim();
}

describe.each(kinds)("a view by %s", (kind, sandbox) => {
  it("[GA-13] leaves the program the PATH that it was given", async () => {
    const env = { PATH: "/usr/local/bin:/usr/bin:/bin:/home/me/.local/bin" };
    expect(await run(sandbox, { view: { rest: "writable" }, script: "echo $PATH", env })).toBe(env.PATH);
  });

  it("[GA-13] runs no start-up file of the person, whatever its input is connected to", async () => {
    const home = folder();
    writeFileSync(join(home, ".bashrc"), "echo spoiled\n");
    for (const rest of ["read-only", "writable"] as const) {
      const view: View = { rest, network: false, places: [] };
      const enclosed = await sandbox.enclose(view, { cwd: "/", argv: ["/bin/echo", "ok"] });
      if (enclosed === undefined) throw new Error("no sandbox");
      expect(await runEnclosed(enclosed, { env: { HOME: home }, stdin: "pipe" })).toBe("ok\n");
    }
  });

  it.runIf(isRoot)(
    "[GA-06, GA-13] that only reads does not write to a disk mounted inside a place either",
    async () => {
      const workspace = folder();
      mountAt(join(workspace, "disk"));
      mountAt(join(workspace, "disk/deeper"));
      const script = "touch disk/a; touch 'disk/deeper/a'; ls";
      await run(sandbox, { view: { places: [{ path: workspace, as: "readable" }] }, script, cwd: workspace });
      expect([existsSync(join(workspace, "disk/a")), existsSync(join(workspace, "disk/deeper/a"))]).toEqual([
        false,
        false,
      ]);
    },
  );

  it.runIf(isRoot).each(["USB 2", "tab\t7", "back\\slash", "line\n3", "100% #1", "-o rw", "$(id)`id`'\""])(
    "[GA-13] is built, and read-only, beside a disk named %j",
    async (name) => {
      const disk = join(folder(), name);
      mountAt(disk);
      expect(await run(sandbox, { view: {}, script: 'echo "$0"; touch a; echo ok', cwd: disk })).toMatch(
        /Read-only file system\nok$|ok\n.*Read-only file system$/s,
      );
      expect(existsSync(join(disk, "a"))).toBe(false);
    },
  );

  it("[GA-13] hides folders and files whatever they are called, and gives scratch where it is asked for", async () => {
    const above = folder();
    const names = ["USB 2", "tab\t7", "back\\slash", "line\n3", "100% #1", "#", "-o rw", "\\040", "$(id)`id`'\""];
    for (const name of names) {
      mkdirSync(join(above, name));
      writeFileSync(join(above, name, "secret"), "secret");
      writeFileSync(join(above, `${name}.txt`), "secret");
    }
    mkdirSync(join(above, "own work"));
    const hidden = names.flatMap((name) => [name, `${name}.txt`]).map((name) => join(above, name));
    const places: View["places"] = [
      ...hidden.map((path) => ({ path, as: "hidden" as const })),
      { path: join(above, "own work"), as: "scratch" },
    ];
    const script = `grep -rsc secret . | grep -v ':0$'; echo x > 'own work/made' && cat 'own work/made'`;
    expect(await run(sandbox, { view: { places }, script, cwd: above })).toBe("x");
    expect(readdirSync(join(above, "own work"))).toEqual([]);
  });

  it.runIf(isRoot)("[GA-13] hides what is a file system of its own, also one of the kind that hides it", async () => {
    const at = folder();
    mountAt(join(at, "disk"));
    writeFileSync(join(at, "disk", "secret"), "secret");
    for (const as of ["hidden", "scratch"] as const)
      expect(
        await run(sandbox, { view: { places: [{ path: join(at, "disk"), as }] }, script: "ls -A disk", cwd: at }),
      ).toBe("");
  });

  it.runIf(isRoot)("[GA-13] is built although a mount was covered by a later one", async () => {
    const above = folder();
    mountAt(join(above, "x"));
    mountAt(above);
    mkdirSync(join(above, "x"));
    expect(await run(sandbox, { view: {}, script: "echo ok" })).toBe("ok");
  });

  it.runIf(isRoot)("[GA-13] is built for an ordinary user although others have mounts out of their reach", async () => {
    const others = join(folder(), "others");
    mountAt(join(others, "merged"));
    chmodSync(others, 0o700);
    chmodSync(join(others, ".."), 0o755);
    expect(asOrdinaryUser(kind, "console.log(await sandbox.kind())")).toBe(kind);
  });

  it.runIf(isRoot)("[GA-13] leaves an ordinary user who they are: ssh, tar and cp go by it", () => {
    const script = `const view = { rest: "writable", network: true, places: [] };
      const { inWords } = await import(${JSON.stringify(new URL("./spawn-enclosed.ts", import.meta.url).href)});
      const { file, args } = inWords(await sandbox.enclose(view, { cwd: "/", argv: ["/bin/sh", "-c", "id -u; id -g"] }), "/bin/bash");
      console.log(String((await import("node:child_process")).spawnSync(file, args).stdout));`;
    expect(asOrdinaryUser(kind, script)).toBe("1000\n1000");
  });

  it("[GA-13] of the whole machine as a workspace holds no other processes and no other agent's folder", async () => {
    const state = folder();
    for (const as of ["readable", "writable"] as const) {
      const rest = as === "readable" ? "read-only" : "writable";
      const places = [
        { path: "/", as },
        { path: state, as: "hidden" },
      ] as const;
      const said = await run(sandbox, { view: { rest, places }, script: `ls -d /proc/[0-9]* | wc -l; ls ${state}` });
      expect(Number(said)).toBeLessThan(10);
    }
  });

  it.runIf(isRoot)("[GA-06, GA-13] changes no setting of the kernel, whether it reads or works", async () => {
    const { hiddenFromWriters } = await import("./hidden/hidden-places.ts");
    const path = "/proc/sys/kernel/core_pattern"; // names a program that the kernel runs outside of every view
    const script = `v=$(cat ${path}); printf %s "$v" > ${path} && echo written; touch /sys/x 2>&1; find /sys -name release_agent -writable 2>/dev/null; find /proc/sys /proc/irq /proc/bus /proc/sysrq-trigger -writable 2>/dev/null`;
    const places = hiddenFromWriters({ home: "/root", own: [], hide: [], show: [] });
    for (const view of [{}, { rest: "writable", places }] as const) {
      const said = await run(sandbox, { view, script });
      expect(said).not.toContain("written");
      expect(said).not.toContain("release_agent");
      expect(said).not.toMatch(/^\/proc\//m);
    }
  });

  it.runIf(isRoot)(
    "[GA-06, GA-13] of an ordinary user who only reads opens no setting of the kernel for writing",
    () => {
      const look =
        "cat /proc/sys/kernel/ostype; find /proc/sys/vm /proc/irq /proc/bus /proc/sysrq-trigger -writable 2>/dev/null";
      const script = `const view = { rest: "read-only", network: true, places: [] };
      const { file, args } = await sandbox.enclose(view, { cwd: "/", argv: ["/bin/sh", "-c", ${JSON.stringify(look)}] });
      console.log(String((await import("node:child_process")).spawnSync(file, args.filter((word, at) => word !== "--seccomp" && args[at - 1] !== "--seccomp")).stdout));`;
      expect(asOrdinaryUser(kind, script)).toBe("Linux");
    },
  );

  it("[GA-13] holds the folders above what it hides in their places", async () => {
    const above = folder();
    mkdirSync(join(above, "deep", "state"), { recursive: true });
    mkdirSync(join(above, "like", "state"), { recursive: true });
    writeFileSync(join(above, "deep", "state", "token"), "secret");
    const { fixedAbove } = await import("./hidden/hidden-places.ts");
    const state = join(above, "deep", "state");
    const places = [...fixedAbove([state]), { path: state, as: "hidden" }] as const;
    const script = `cd ${above}; mv deep other && echo renamed; mv state.txt deep/ 2>/dev/null; echo x > deep/new && cat deep/new; ls deep/state`;
    expect(await run(sandbox, { view: { rest: "writable", places }, script })).toMatch(/busy\nx$|^x\n.*busy$/s);
    expect(existsSync(join(above, "other"))).toBe(false);
  });

  it("[GA-13] ends with the gateway, whatever its program does", async () => {
    const marker = `605.${process.pid}${kind.length}`;
    const view: View = { rest: "writable", network: true, places: [] };
    const made = await sandbox.enclose(view, { cwd: "/", argv: ["/bin/sleep", marker] });
    if (made === undefined) throw new Error("no sandbox");
    const { file, args } = inWords(made, "/bin/bash");
    const script = `require("node:child_process").spawn(...${JSON.stringify([file, args])}, { detached: true, stdio: "ignore" }); setInterval(() => {}, 1000)`;
    const gateway = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
    onTestFinished(() => void gateway.kill("SIGKILL"));
    await expect.poll(() => commandLines().includes(`/bin/sleep ${marker}`)).toBe(true); // the program itself
    gateway.kill("SIGKILL");
    await expect.poll(() => runs(marker)).toBe(false);
  });

  it.runIf(isRoot && existsSync("/dev/vda"))("[GA-13] shows root no disk beneath the files", async () => {
    expect(readFileSync("/proc/partitions", "utf8")).toContain("vda");
    const { hiddenFromWriters } = await import("./hidden/hidden-places.ts");
    const places = hiddenFromWriters({ home: "/root", own: [], hide: [], show: [] });
    const script = "for f in /dev/* /dev/*/*; do [ -b $f ] && echo $f; done; echo done";
    expect(await run(sandbox, { view: { rest: "writable", places }, script })).toBe("done");
  });
});

/** Of every process of this machine. */
function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\u0000", " ").trim();
      } catch {
        return ""; // it ended in between
      }
    });
}
