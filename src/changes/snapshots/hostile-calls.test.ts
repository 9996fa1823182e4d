/** Calls that try to change files without being seen, and disks and kills that try to lose what was seen. */
import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync, writeSync, writevSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { snapshotWorld } from "../../../test/kit/snapshot-world.ts";
import { targetFiles } from "../record/target-files.ts";
import { openContentPack } from "./content-pack.ts";
import { type JournalLine, openJournal } from "./journal.ts";
import { besideName, orderRollback, performRollback, previewRollback } from "./rollback.ts";
import { finish } from "./sliced.ts";
import { createSnapshotOps } from "./snapshot-ops.ts";

describe("a call does not hide what it changes", () => {
  it("[BY-03] behind an ignore file that it wrote itself, also after a restart", () => {
    const at = snapshotWorld();
    at.write(".gitignore", "logs/\n");
    at.write("logs/a.log", "x");
    at.write("a.txt", "a");
    at.call(1, () => undefined);
    const hidden = at.call(1, () => {
      at.write("evil/.gitignore", "*\n");
      at.write("evil/payload", "x");
      at.write(".gitignore", "logs/\n*.evil\n");
      at.write("x.evil", "x");
      at.write("logs/b.log", "ignored from the first");
    });
    const all = ["added evil/.gitignore", "added evil/payload", "added x.evil", "modified .gitignore"];
    expect(hidden.changed).toEqual(all);
    at.reopen();
    expect(at.call(2, () => at.write("evil/more", "x")).changed).toEqual(["added evil/more"]);
    expect(at.call(2, () => at.write("logs/c.log", "x")).changed).toEqual([]);
  });

  it("[BY-03] by a name with spaces around it", () => {
    expect(targetFiles("write", { path: " a.txt " }, "/w")).toEqual([" a.txt "]);
    const patch = "*** Begin Patch\n*** Add File:  a.txt \n+x\n*** End Patch"; // whoever applies it trims them, too
    expect(targetFiles("apply_patch", { patch }, "/w")).toEqual(["a.txt"]);
  });

  it("[BY-03, BY-09] in the bits that let a program run as its owner", () => {
    const at = snapshotWorld();
    at.write("tool", "x");
    chmodSync(join(at.workspace, "tool"), 0o755);
    expect(at.call(1, () => chmodSync(join(at.workspace, "tool"), 0o4755)).changed).toEqual(["mode tool"]);
    at.rollback(1);
    expect(statSync(join(at.workspace, "tool")).mode & 0o7777).toBe(0o755);
  });

  it("[BY-03] in a file that leads git elsewhere, nor in the hooks of a repository below or of a module", () => {
    const at = snapshotWorld();
    at.write(".git", "gitdir: ../real\n");
    at.write("lib/.git/config", "[core]\n");
    at.write("lib/.git/objects/ab/cd", "x");
    at.write("sub/.git", "gitdir: ../.git/modules/sub\n");
    const changed = at.call(1, () => {
      at.write(".git", "gitdir: evil\n");
      at.write("lib/.git/hooks/post-checkout", "#!/bin/sh\n");
      at.write("lib/.git/objects/ab/ef", "x");
      at.write("sub/.git", "gitdir: ../evil\n");
    });
    expect(changed.changed).toEqual(["added lib/.git/hooks/post-checkout", "modified .git", "modified sub/.git"]);
    const other = snapshotWorld();
    other.write(".git/config", "[core]\n");
    other.write(".git/modules/a/b/config", "[core]\n");
    const below = other.call(1, () => {
      other.write(".git/modules/a/b/hooks/pre-commit", "#!/bin/sh\n");
      other.write(".git/modules/a/b/objects/ab/cd", "x");
      other.write(".git/config.worktree", "[core]\n");
      other.write(".git/index", "x");
    });
    expect(below.changed).toEqual(["added .git/config.worktree", "added .git/modules/a/b/hooks/pre-commit"]);
  });

  it("[BY-03] in a file that is too large to keep, by its old time", () => {
    const at = snapshotWorld({ fileBytesMax: 100 });
    at.write("big", "a".repeat(200));
    const path = join(at.workspace, "big");
    utimesSync(path, 1_000, 1_000);
    at.call(1, () => undefined);
    const changed = at.call(1, () => {
      writeFileSync(path, "b".repeat(200));
      utimesSync(path, 1_000, 1_000);
    });
    expect(changed.changed).toEqual(["modified big"]);
  });

  it("[BY-03] where nobody looks: what cannot be looked at any more is named", () => {
    const at = snapshotWorld({ filesMax: 20 });
    at.write("a.txt", "a");
    at.call(1, () => undefined);
    const deep = Array.from({ length: 70 }, () => "d").join("/");
    at.call(1, () => at.write(`${deep}/payload`, "x"));
    at.call(1, () => {
      for (let n = 0; n < 30; n++) at.write(`many/${n}`, "x");
    });
    const ops = createSnapshotOps();
    const { gaps } = finish(ops.read({ place: at.place }));
    expect(gaps.map(({ why }) => why)).toEqual(["too deep", "too many files"]);
  });
});

describe("what was seen is not lost", () => {
  /** Takes a part of what it is given, then says that the disk is full. */
  function takesHalf(fd: number): number {
    writeSync(fd, "half of it");
    throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  }

  it("[BY-09] by a disk that is full for a while: contents", () => {
    const at = snapshotWorld();
    const fails = { now: false };
    const path = join(at.root, "contents.pack");
    const pack = openContentPack(path, 1_000_000, (fd, buffers) =>
      fails.now ? takesHalf(fd) : writevSync(fd, buffers),
    );
    const first = pack.put(Buffer.from("first")) ?? "";
    pack.flush();
    fails.now = true;
    const second = pack.put(Buffer.from("second")) ?? "";
    expect(() => pack.flush()).toThrow("ENOSPC");
    fails.now = false;
    const third = pack.put(Buffer.from("third")) ?? "";
    pack.flush();
    const texts = () => [first, second, third].map((key) => pack.get(key)?.toString());
    expect(texts()).toEqual(["first", "second", "third"]);
    pack.close();
    const again = openContentPack(path, 1_000_000);
    expect([first, second, third].map((key) => again.get(key)?.toString())).toEqual(["first", "second", "third"]);
    again.close();
  });

  it("[BY-09] by a disk that is full for a while: the journal", () => {
    const at = snapshotWorld();
    const fails = { now: false };
    const path = join(at.root, "journal.jsonl");
    const journal = openJournal(path, (fd, bytes, from) => (fails.now ? takesHalf(fd) : writeSync(fd, bytes, from)));
    const line = (rollbackId: string): JournalLine => ({
      line: "restored",
      rollbackId,
      atMs: 1,
      changed: [],
      left: [],
    });
    journal.add(line("a"));
    fails.now = true;
    expect(() => journal.add(line("b"))).toThrow("ENOSPC");
    fails.now = false;
    journal.add(line("c"));
    journal.close();
    const again = openJournal(path);
    expect(again.lines).toEqual([line("a"), line("c")]);
    again.close();
  });

  it("[BY-09] by a folder that cannot be read for a while: its files are not taken for deleted", () => {
    const at = snapshotWorld();
    at.write("deep/a.txt", "a");
    at.call(1, () => undefined);
    const deep = join(at.workspace, "deep");
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.stdout.write("a folder that cannot be read: skipped, root reads every folder\n");
    else chmodSync(deep, 0);
    expect(at.call(1, () => undefined).changed).toEqual([]);
    chmodSync(deep, 0o755);
  });
});

describe("a rollback", () => {
  it("[BY-09] leaves folders that stood there empty, and takes away those that the plan made", () => {
    const at = snapshotWorld();
    mkdirSync(join(at.workspace, "uploads"));
    mkdirSync(join(at.workspace, "named"));
    at.call(1, () => at.write("named/x", "x"), ["named/x"]);
    at.call(1, () => {
      at.write("uploads/x", "x");
      at.write("made/x", "x");
    });
    at.rollback();
    expect(readdirSync(at.workspace).toSorted()).toEqual(["named", "uploads"]);
  });

  it("[BY-09] that was killed before a file was in its place leaves nothing beside it", () => {
    const at = snapshotWorld();
    at.write("a.txt", "one");
    at.call(1, () => at.write("a.txt", "two"));
    const at9 = { rollbackId: "rb_killed", atMs: 9 };
    const order = { ...at9, step: null, by: "Ada", conflicts: "keep" as const };
    orderRollback(at.record, order, previewRollback(at.record, undefined));
    at.write(besideName("rb_killed", "a.txt"), "half"); // as the killed process left it
    at.reopen();
    performRollback(at.record, at.workspace, at9);
    expect(readdirSync(at.workspace)).toEqual(["a.txt"]);
    expect(at.read("a.txt")).toBe("one");
  });
});
