import { chmodSync, existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesHere } from "../../../../test/kit/builtin-tools.ts";
import { calledTools } from "../../../../test/kit/called-tools.ts";
import { patchTargets } from "../../../plan-mode/shell/accept-edits/patch-targets.ts";
import { createApplyPatchTool } from "../apply-patch.ts";
import { hashOf } from "../text-file.ts";
import { parsePatch } from "./parse-patch.ts";
import { swapFiles } from "./swap-files.ts";

function patching(files: Record<string, string>) {
  const world = calledTools([createApplyPatchTool(filesHere().operation("apply_patch"))], files);
  const apply = (...lines: string[]) =>
    world.call("apply_patch", { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
  const names = () => readdirSync(world.workspace, { recursive: true }).map(String).toSorted();
  return { ...world, apply, names };
}

const refused = (why: string) => ({ status: "error", content: `The patch was not applied: ${why}` });

describe("apply_patch", () => {
  it("[TO-09] adds, updates, moves and deletes files in one step", async () => {
    const { apply, file, names, workspace } = patching({
      "keep.ts": "one\ntwo\nthree\n",
      "old.sh": "echo a\necho b\n",
      "gone.md": "bye\n",
    });
    chmodSync(join(workspace, "old.sh"), 0o755);
    const done = await apply(
      "*** Add File: docs/new.md",
      "+# New",
      "+",
      "+text",
      "*** Update File: keep.ts",
      "@@",
      " one",
      "-two",
      "+TWO",
      "+2½",
      " three",
      "*** Update File: old.sh",
      "*** Move to: bin/new.sh",
      "@@",
      "-echo a",
      "+echo A",
      "*** Delete File: gone.md",
    );
    expect(done).toEqual({
      status: "ok",
      content: {
        files: [
          { path: "docs/new.md", change: "added", hash: hashOf("# New\n\ntext\n") },
          { path: "keep.ts", change: "updated", hash: hashOf("one\nTWO\n2½\nthree\n") },
          { path: "bin/new.sh", change: "moved", from: "old.sh", hash: hashOf("echo A\necho b\n") },
          { path: "gone.md", change: "deleted" },
        ],
      },
    });
    expect(names()).toEqual(["bin", "bin/new.sh", "docs", "docs/new.md", "keep.ts"]);
    expect(file("keep.ts")).toBe("one\nTWO\n2½\nthree\n");
    expect(statSync(join(workspace, "bin/new.sh")).mode & 0o777).toBe(0o755);
  });

  it("[TO-09] changes nothing at all when one part of it does not fit", async () => {
    const files = { "a.txt": "a\n", "b.txt": "b\n" };
    const { apply, file, names } = patching(files);
    const answer = await apply(
      "*** Add File: c.txt",
      "+c",
      "*** Delete File: a.txt",
      "*** Update File: b.txt",
      "@@",
      "-nothing like it",
      "+x",
    );
    expect(answer).toEqual(
      refused("b.txt, hunk 1 of 1: its lines are not in the file. Read the file again and copy its lines."),
    );
    expect([names(), file("a.txt"), file("b.txt")]).toEqual([["a.txt", "b.txt"], "a\n", "b\n"]);
  });

  it("[TO-09] puts everything back when the last file cannot be written", async () => {
    const { apply, file, names, workspace } = patching({ "a.txt": "a\n", "deep/b.txt": "b\n" });
    chmodSync(join(workspace, "deep"), 0o500);
    const isRoot = process.getuid?.() === 0; // no folder is closed to root: then a name that is too long must do
    const last = isRoot ? `deep/${"n".repeat(240)}/${"m".repeat(256)}` : "deep/c.txt";
    const answer = await apply("*** Update File: a.txt", "@@", "-a", "+A", `*** Add File: ${last}`, "+c");
    chmodSync(join(workspace, "deep"), 0o700);
    expect(answer.status).toBe("error");
    expect(file("a.txt")).toBe("a\n");
    expect(names().filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("keeps line ends, the missing last one, and the file's own context", async () => {
    const { apply, file } = patching({ "crlf.txt": "one\r\ntwo\r\n", "bare.txt": "one\ntwo" });
    await apply(
      "*** Update File: crlf.txt",
      "@@",
      " one",
      "-two",
      "+2",
      "*** Update File: bare.txt",
      "@@",
      "-one",
      "+1",
    );
    expect([file("crlf.txt"), file("bare.txt")]).toEqual(["one\r\n2\r\n", "1\ntwo"]);
  });

  it("takes whitespace for what it is only where there is one such place, and says so", async () => {
    const { apply, file } = patching({ "a.py": "def f():\n\treturn  1\n", "b.py": "  x = 1\ny\n    x = 1\n" });
    expect(await apply("*** Update File: a.py", "@@", " def f():", "-    return 1", "+\treturn 2")).toMatchObject({
      content: { files: [{ note: "Fitted without regard to whitespace: hunk 1." }] },
    });
    expect(file("a.py")).toBe("def f():\n\treturn 2\n");
    expect(await apply("*** Update File: b.py", "@@", "-x = 1", "+x = 2")).toEqual(
      refused(
        "b.py, hunk 1 of 1: its lines occur, but for whitespace, more than once: from line 1, 3. Add more context, or an @@ line that stands above the right place.",
      ),
    );
  });

  it("does not guess between equal places, unless an @@ line or the end of the file tells", async () => {
    const text = "a()\nx\nb()\nx\n";
    const { apply, file } = patching({ "a.js": text, "b.js": text });
    expect(await apply("*** Update File: a.js", "@@", "-x", "+y")).toEqual(
      refused(
        "a.js, hunk 1 of 1: its lines occur more than once: from line 2, 4. Add more context, or an @@ line that stands above the right place.",
      ),
    );
    expect(await apply("*** Update File: a.js", "@@ b()", "-x", "+y")).toMatchObject({ status: "ok" });
    expect(await apply("*** Update File: b.js", "@@", "-x", "+y", "*** End of File")).toMatchObject({ status: "ok" });
    expect([file("a.js"), file("b.js")]).toEqual(["a()\nx\nb()\ny\n", "a()\nx\nb()\ny\n"]);
  });

  it("tells how far a hunk fits", async () => {
    const { apply } = patching({ "a.txt": "one\ntwo\nthree\n" });
    expect(await apply("*** Update File: a.txt", "@@", " one", " two", "-four", "+4")).toEqual(
      refused(
        'a.txt, hunk 1 of 1: its lines are not in the file. From line 1 on they fit up to "four", where the file has "three".',
      ),
    );
  });

  it("adds lines without context at the end, or below an @@ line, and nowhere else", async () => {
    const { apply, file } = patching({ "a.txt": "one\ntwo\n", "empty.txt": "" });
    await apply("*** Update File: a.txt", "@@ one", "+1½", "@@", "+three", "*** End of File");
    await apply("*** Update File: empty.txt", "@@", "+first");
    expect([file("a.txt"), file("empty.txt")]).toEqual(["one\n1½\ntwo\nthree\n", "first\n"]);
    expect(await apply("*** Update File: a.txt", "@@", "+lost")).toMatchObject({ status: "error" });
  });

  it.each([
    ["outside", ["*** Add File: ../x", "+x"]],
    ["absolute", ["*** Add File: /etc/x", "+x"]],
    ["home", ["*** Update File: ~/x", "@@", "-a", "+b"]],
    ["move outside", ["*** Update File: a.txt", "*** Move to: ../b.txt"]],
    ["existing", ["*** Add File: a.txt", "+x"]],
    ["onto another", ["*** Update File: a.txt", "*** Move to: b.txt"]],
    ["missing", ["*** Delete File: c.txt"]],
    ["twice", ["*** Update File: a.txt", "@@", "-a", "+b", "*** Delete File: ./a.txt"]],
  ])("[AE-04] refuses what is %s and touches nothing", async (_what, lines) => {
    const { apply, file, names } = patching({ "a.txt": "a\n", "b.txt": "b\n" });
    expect(await apply(...lines)).toMatchObject({ status: "error" });
    expect([names(), file("a.txt"), file("b.txt")]).toEqual([["a.txt", "b.txt"], "a\n", "b\n"]);
  });

  it("neither deletes nor moves through a symbolic link", async () => {
    const { apply, workspace } = patching({ "real.txt": "a\n" });
    symlinkSync("real.txt", join(workspace, "link.txt"));
    expect(await apply("*** Delete File: link.txt")).toEqual(
      refused("link.txt is a symbolic link. Name the file itself: real.txt."),
    );
    expect(existsSync(join(workspace, "real.txt"))).toBe(true);
  });

  it("does nothing once it is stopped", async () => {
    const { apply, stop, file } = patching({ "a.txt": "a\n" });
    stop.abort();
    expect(await apply("*** Update File: a.txt", "@@", "-a", "+b")).toEqual(refused("it was stopped."));
    expect(file("a.txt")).toBe("a\n");
  });

  it("keeps the gateway's own folder shut", async () => {
    const { workspace } = patching({});
    const world = calledTools([createApplyPatchTool(filesHere([join(workspace, "state")]).operation("apply_patch"))]);
    symlinkSync(workspace, join(world.workspace, "way"));
    writeFileSync(join(workspace, "token"), "secret\n");
    const patch = "*** Begin Patch\n*** Delete File: way/token\n*** End Patch";
    expect(await world.call("apply_patch", { patch })).toMatchObject({ status: "error" });
  });
});

describe("swapping files", () => {
  it("[TO-09] puts back what it has swapped when a later one cannot be", async () => {
    const { workspace, file, names } = patching({ "a.txt": "a\n", "b.txt": "b\n" });
    const at = (name: string) => ({ path: join(workspace, name), shown: name });
    const before = statSync(join(workspace, "b.txt")).ino;
    const swapped = await swapFiles([
      { ...at("a.txt"), text: "A\n", mode: 0o644, isNew: false },
      { ...at("new.txt"), text: "new\n", mode: undefined, isNew: true },
      { ...at("b.txt"), text: undefined, mode: 0o644, isNew: false },
      { ...at("gone.txt"), text: undefined, mode: 0o644, isNew: false },
    ]);
    expect(swapped).toEqual({ ok: false, error: "gone.txt could not be changed: ENOENT. Nothing was changed." });
    expect([names(), file("a.txt"), file("b.txt")]).toEqual([["a.txt", "b.txt"], "a\n", "b\n"]);
    expect(statSync(join(workspace, "b.txt")).ino).toBe(before);
  });
});

describe("the patch format", () => {
  it.each([
    ["nothing around it", "*** Update File: a\n@@\n-a\n+b"],
    ["no change", "*** Begin Patch\n*** End Patch"],
    ["text before the first marker", "*** Begin Patch\nhello\n*** Add File: a\n+a\n*** End Patch"],
    ["a marker without a path", "*** Begin Patch\n*** Add File: \n+a\n*** End Patch"],
    ["an added line without +", "*** Begin Patch\n*** Add File: a\na\n*** End Patch"],
    ["a hunk that changes nothing", "*** Begin Patch\n*** Update File: a\n@@\n a\n*** End Patch"],
    ["a marker in another spelling", "*** Begin Patch\n*** Update File: a\n*** Rename to: b\n@@\n-a\n*** End Patch"],
    ["a line separator in a path", "*** Begin Patch\n*** Delete File: a\u2028b\n*** End Patch"],
    ["a line that is neither", "*** Begin Patch\n*** Update File: a\n@@\nhello\n*** End Patch"],
  ])("is refused with %s", (_what, patch) => {
    expect(parsePatch(patch)).toMatchObject({ ok: false });
  });

  it("[AE-04] has no target that the accept-edits gate does not see", () => {
    const patch =
      "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b \n*** Update File: c\n*** Move to:  d\n@@\n-*** Delete File: e\n+y\n*** End Patch";
    const parsed = parsePatch(patch);
    if (!parsed.ok) throw new Error(parsed.error);
    const taken = parsed.changes.flatMap((change) =>
      change.kind === "update" ? [change.path, change.moveTo ?? ""] : [change.path],
    );
    expect(taken).toEqual(["a", "b", "c", "d"]);
    expect(patchTargets(patch)).toEqual(taken);
  });
});
