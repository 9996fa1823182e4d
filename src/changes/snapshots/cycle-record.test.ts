import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { snapshotWorld as world } from "../../../test/kit/snapshot-world.ts";
import { historyOf, netOf } from "./history.ts";
import { orderRollback, performRollback, previewRollback } from "./rollback.ts";
import { finish } from "./sliced.ts";

describe("snapshots of a workspace", () => {
  it("[BY-09] sees what each call adds, changes and deletes, and puts one step or the whole plan back", () => {
    const at = world();
    at.write("a.txt", "one\n");
    at.write("src/b.txt", "two\n");
    at.write("gone.txt", "three\n");
    const first = at.call(1, () => {
      at.write("a.txt", "ONE\n");
      at.write("src/new/c.txt", "new\n");
    });
    expect(first).toEqual({ outside: 0, changed: ["added src/new/c.txt", "modified a.txt"] });
    const second = at.call(2, () => {
      at.remove("gone.txt");
      at.write("src/b.txt", "TWO\n");
    });
    expect(second.changed).toEqual(["deleted gone.txt", "modified src/b.txt"]);
    expect(at.rollback(2)).toEqual({ restored: ["gone.txt", "src/b.txt"], left: [] });
    expect([at.read("gone.txt"), at.read("src/b.txt"), at.read("a.txt")]).toEqual(["three\n", "two\n", "ONE\n"]);
    expect(at.rollback()).toEqual({ restored: ["a.txt", "src/new/c.txt"], left: [] });
    expect(at.read("a.txt")).toBe("one\n");
    expect(() => at.read("src/new/c.txt")).toThrow("ENOENT");
    expect(at.preview()).toEqual([]);
  });

  it("[BY-09] looks only at the files that a call names, and at all of them when it may change any", () => {
    const at = world();
    at.write("a.txt", "one\n");
    at.write("b.txt", "two\n");
    expect(at.call(1, () => at.write("a.txt", "ONE\n"), ["a.txt"]).changed).toEqual(["modified a.txt"]);
    expect(at.call(1, () => at.write("n.txt", "new\n"), ["n.txt"]).changed).toEqual(["added n.txt"]);
    at.write("b.txt", "by a person\n");
    expect(at.call(2, () => at.write("b.txt", "by the agent\n")).changed).toEqual(["modified b.txt"]);
    at.write("a.txt", "by a person\n");
    expect(at.call(2, () => undefined).outside).toBe(1);
    expect(at.preview()).toEqual(["a.txt others", "n.txt", "b.txt"]);
  });

  it("[BY-09] leaves files that others changed since, and overwrites them only when told to", () => {
    const at = world();
    at.write("a.txt", "one\n");
    at.write("b.txt", "two\n");
    at.call(1, () => {
      at.write("a.txt", "ONE\n");
      at.write("b.txt", "TWO\n");
    });
    at.write("a.txt", "a person's\n");
    expect(at.preview(1)).toEqual(["a.txt others", "b.txt"]);
    expect(at.rollback(1)).toEqual({ restored: ["b.txt"], left: [] });
    expect([at.read("a.txt"), at.read("b.txt")]).toEqual(["a person's\n", "two\n"]);
    at.call(1, () => undefined);
    expect(at.rollback(1, "overwrite").restored).toEqual(["a.txt"]);
    expect(at.read("a.txt")).toBe("one\n");
  });

  it("[BY-09] tells a later step's change from somebody else's", () => {
    const at = world();
    at.write("a.txt", "one\n");
    at.call(1, () => at.write("a.txt", "ONE\n"));
    at.call(2, () => at.write("a.txt", "TWO\n"));
    expect(at.preview(1)).toEqual(["a.txt later"]);
    expect(at.preview(2)).toEqual(["a.txt"]);
    expect(at.preview()).toEqual(["a.txt"]);
  });

  it("[BY-09] of two rollbacks that were ordered at once, the second says nothing of what the first put back", () => {
    const at = world();
    at.write("a.txt", "one");
    at.write("b.txt", "one");
    at.call(1, () => {
      at.write("a.txt", "two");
      at.remove("b.txt");
      at.write("c.txt", "two");
    });
    const preview = previewRollback(at.record, 1);
    for (const rollbackId of ["first", "second"])
      orderRollback(at.record, { rollbackId, step: 1, by: rollbackId, atMs: 5, conflicts: "keep" }, preview);
    const restored = (rollbackId: string) => performRollback(at.record, at.workspace, { rollbackId, atMs: 6 });
    expect(
      restored("first")
        .restored.map(({ path }) => path)
        .toSorted(),
    ).toEqual(["a.txt", "b.txt", "c.txt"]);
    at.write("a.txt", "three"); // by somebody who came after the first
    expect(restored("second")).toEqual({ restored: [], left: [{ path: "a.txt", why: "changed meanwhile" }] });
    expect(at.read("a.txt")).toBe("three");
    expect(at.preview(1)).toEqual(["a.txt others"]);
  });

  it("[BY-09] gives a killed process's last call what it left, and goes on with a rollback that was cut off", () => {
    const at = world();
    at.write("a.txt", "one\n");
    at.write("b.txt", "two\n");
    finish(at.record.before({ callId: "call_x", tool: "exec", atMs: 1, step: { index: 1, text: "step 1" } }));
    at.write("a.txt", "ONE\n");
    at.reopen();
    at.call(2, () => at.write("b.txt", "TWO\n"));
    const history = historyOf(at.record.lines);
    expect(netOf(history, 1).map(({ path }) => path)).toEqual(["a.txt"]);
    expect(history.calls.map(({ end }) => end?.status)).toEqual(["unknown", "ok"]);
    orderRollback(
      at.record,
      { rollbackId: "rb", step: null, by: "Ada", atMs: 5, conflicts: "keep" },
      previewRollback(at.record, undefined),
    );
    at.write("a.txt", "one\n"); // the first of the files had been put back when the process was killed
    at.reopen();
    const done = performRollback(at.record, at.workspace, { rollbackId: "rb", atMs: 6 });
    expect(done.left).toEqual([]);
    expect([at.read("a.txt"), at.read("b.txt")]).toEqual(["one\n", "two\n"]);
    expect(performRollback(at.record, at.workspace, { rollbackId: "rb", atMs: 7 })).toEqual(done);
  });

  it("[BY-09] gives what an agent outside changes to its last call, whenever somebody looks", () => {
    const at = world();
    at.write("a.txt", "one\n");
    const step = { index: 1, text: "step 1" };
    finish(at.record.before({ callId: "call_x", tool: "exec", atMs: 1, step, isOpen: true }));
    at.write("a.txt", "ONE\n");
    finish(at.record.settle());
    at.write("b.txt", "later\n");
    finish(
      at.record.before({ callId: "call_y", tool: "exec", atMs: 2, step: { index: 2, text: "step 2" }, isOpen: true }),
    );
    const history = historyOf(at.record.lines);
    expect(netOf(history, 1).map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
    expect(history.calls.map(({ end }) => end?.changed.length)).toEqual([2, undefined]);
  });

  it("[BY-09] cuts off what a killed process left half-written", () => {
    const at = world();
    at.write("a.txt", "one\n");
    at.call(1, () => at.write("a.txt", "ONE\n"));
    writeFileSync(join(at.root, "record", "journal.jsonl"), '{"line":"begin","n":', { flag: "a" });
    writeFileSync(join(at.root, "record", "contents.pack"), "HPC1half", { flag: "a" });
    at.reopen();
    expect(at.rollback(1).restored).toEqual(["a.txt"]);
    expect(at.read("a.txt")).toBe("one\n");
  });

  it("[BY-09] follows no link, waits for no pipe, and says what it could not keep", () => {
    const at = world({ fileBytesMax: 1_000 });
    const outside = join(at.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.txt"), "secret\n");
    symlinkSync(outside, join(at.workspace, "linked"));
    execFileSync("mkfifo", [join(at.workspace, "pipe")]);
    at.write("big.bin", Buffer.alloc(5_000, 1));
    at.write("odd\nname \u202e.txt", "x\n");
    const { changed } = at.call(1, () => {
      at.write("big.bin", Buffer.alloc(5_001, 2));
      at.remove("linked");
      symlinkSync("/etc", join(at.workspace, "linked"));
      at.remove("odd\nname \u202e.txt");
    });
    expect(changed).toEqual(["deleted odd\nname \u202e.txt", "modified big.bin", "modified linked"]);
    expect(at.preview(1).toSorted()).toEqual(["big.bin lost", "linked", "odd\nname \u202e.txt"]);
    expect(at.rollback(1, "overwrite").restored).toEqual(["linked", "odd\nname \u202e.txt"]);
    expect(readFileSync(join(at.workspace, "linked", "secret.txt"), "utf8")).toBe("secret\n");
  });

  it("[BY-09] writes through no folder that became a link", () => {
    const at = world();
    const outside = join(at.root, "outside");
    mkdirSync(outside);
    at.write("src/a.txt", "one\n");
    at.call(1, () => at.remove("src"));
    symlinkSync(outside, join(at.workspace, "src"));
    expect(at.rollback(1)).toEqual({
      restored: [],
      left: [{ path: "src/a.txt", why: "its folder is a link or no folder" }],
    });
    expect(() => readFileSync(join(outside, "a.txt"))).toThrow("ENOENT");
  });

  it("[BY-09] keeps permissions, and leaves ignored files and the objects of repositories below alone", () => {
    const at = world();
    at.write(".gitignore", "*.log\n/build/\n!keep.log\n");
    at.write("run.sh", "#!/bin/sh\n");
    const { changed } = at.call(1, () => {
      chmodSync(join(at.workspace, "run.sh"), 0o755);
      at.write("x.log", "1\n");
      at.write("keep.log", "1\n");
      at.write("build/out.js", "1\n");
      at.write("sub/build/out.js", "1\n");
      at.write("node_modules/x/index.js", "1\n");
      at.write("sub/.git/objects/ab/c", "1\n");
    });
    expect(changed).toEqual(["added keep.log", "added sub/build/out.js", "mode run.sh"]);
    at.rollback(1);
    expect(at.preview(1)).toEqual([]);
  });
});

const runGit = (cwd: string, ...args: string[]): void =>
  void execFileSync("git", args, {
    cwd,
    stdio: "ignore",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });

function hasGit(): boolean {
  try {
    execFileSync("git", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("a repository that is made to mislead", () => {
  it.each([
    ["an index that ends early", (git: string) => writeFileSync(join(git, "index"), "DIRC\0\0\0\x02\0\0\0\xff")],
    ["an index that is none", (git: string) => writeFileSync(join(git, "index"), Buffer.alloc(5_000, 0xff))],
    ["an index that is a pipe", (git: string) => void execFileSync("mkfifo", [join(git, "index")])],
    [
      "packs that are none",
      (git: string) => {
        mkdirSync(join(git, "objects", "pack"), { recursive: true });
        for (const end of ["pack", "idx"])
          writeFileSync(join(git, "objects", "pack", `pack-${"a".repeat(40)}.${end}`), Buffer.alloc(2_000, 7));
      },
    ],
    [
      "a pack that is a link",
      (git: string) => {
        mkdirSync(join(git, "objects", "pack"), { recursive: true });
        symlinkSync("/etc/passwd", join(git, "objects", "pack", `pack-${"a".repeat(40)}.pack`));
      },
    ],
  ])("[BY-09] is read like a plain folder: %s", (_, spoil) => {
    const at = world();
    at.write(".git/config", "[core]\n\tfsmonitor = /tmp/never-run\n");
    spoil(join(at.workspace, ".git"));
    at.write("a.txt", "one\n");
    expect(at.call(1, () => at.write("a.txt", "ONE\n")).changed).toEqual(["modified a.txt"]);
    expect(at.rollback(1).restored).toEqual(["a.txt"]);
  });

  it("[BY-09] shows what could make git run something: its configuration and its hooks", () => {
    const at = world();
    at.write(".git/config", "[core]\n");
    at.write(".git/HEAD", "ref: refs/heads/main\n");
    const { changed } = at.call(1, () => {
      at.write(".git/hooks/post-checkout", "#!/bin/sh\n");
      at.write(".git/config", "[core]\n\tpager = sh\n");
      at.write(".git/HEAD", "ref: refs/heads/other\n");
    });
    expect(changed).toEqual(["added .git/hooks/post-checkout", "modified .git/config"]);
  });

  it("[BY-09] takes a .git that is a file or a link for what it is", () => {
    const at = world();
    writeFileSync(join(at.workspace, ".git"), "gitdir: /somewhere/else\n");
    at.write("a.txt", "one\n");
    expect(at.call(1, () => at.write("a.txt", "ONE\n")).changed).toEqual(["modified a.txt"]);
  });
});

describe.skipIf(!hasGit())("snapshots of a repository (needs git to make one)", () => {
  it("[BY-09] takes unchanged files from the repository's packs, also when the repository is gone, and touches nothing in it", () => {
    const at = world();
    for (let n = 0; n < 30; n++) at.write(`src/f${n}.txt`, `line ${n}\n`.repeat(20));
    runGit(at.workspace, "init", "-q");
    runGit(at.workspace, "add", ".");
    runGit(at.workspace, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one");
    for (let n = 0; n < 10; n++) at.write(`src/f${n}.txt`, `line ${n}\n`.repeat(20) + "more\n");
    runGit(at.workspace, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-a", "-m", "two");
    runGit(at.workspace, "gc", "-q");
    const past = new Date(Date.now() - 60_000);
    execFileSync("find", [".", "-name", "*.txt", "-exec", "touch", "-d", past.toISOString(), "{}", "+"], {
      cwd: at.workspace,
    });
    runGit(at.workspace, "update-index", "--refresh");
    const before = readFileSync(join(at.workspace, ".git", "index"));
    const { changed } = at.call(1, () => {
      at.remove(".git");
      at.remove("src");
    });
    expect(changed.filter((line) => line.startsWith("deleted src/"))).toHaveLength(30);
    const [base] = at.record.lines;
    expect(base).toMatchObject({ line: "base", inGit: 30 });
    expect(before.length).toBeGreaterThan(0);
    expect(at.rollback(1).left).toEqual([]);
    expect([at.read("src/f3.txt"), at.read("src/f20.txt")]).toEqual([
      "line 3\n".repeat(20) + "more\n",
      "line 20\n".repeat(20),
    ]);
  });
});
