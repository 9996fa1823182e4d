import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { builtinTools } from "../../../test/kit/builtin-tools.ts";
import { coreWorld, create } from "../../../test/kit/core.ts";
import type { ToolOutput } from "../../plugins/tool.ts";
import { SessionId, TurnId } from "../../protocol/ids.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import { mintPermit } from "../permit.ts";
import { createRegistry } from "../registry.ts";
import { hashOf } from "./text-file.ts";

/** Calls a built-in tool as the pipeline would, in a workspace of its own. */
function tools(files: Record<string, string> = {}, stateFolder = ".state") {
  const workspace = temporaryFolder();
  const state = join(workspace, stateFolder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(workspace, name, ".."), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  const registry = createRegistry(builtinTools({ protectedFolders: [state] }));
  const world = coreWorld();
  world.must(create);
  const session = world.session;
  if (session === undefined) throw new Error("no session");
  const chunks: string[] = [];
  const stop = new AbortController();
  async function call(name: string, args: JsonObject): Promise<ToolOutput> {
    const made = registry.find(name, { session: session ?? never(), settings: {} })?.prepare(args, { workspace });
    if (made?.ok !== true) throw new Error(made?.error ?? "no such tool");
    const ids = { sessionId: SessionId.parse("ses_1"), callId: "c" };
    const permit = mintPermit({ ...ids, argsDigest: made.call.argsDigest, epoch: 1 });
    const emit = (chunk: string): void => void chunks.push(chunk);
    return made.call.run({ ...ids, turnId: TurnId.parse("trn_1"), workspace, signal: stop.signal, emit }, permit);
  }
  const file = (name: string): string => readFileSync(join(workspace, name), "utf8");
  return { workspace, call, file, chunks, stop };
}
const never = (): never => {
  throw new Error("unreachable");
};
const ok = (content: Json): ToolOutput => ({ status: "ok", content });

describe("read", () => {
  it("returns a whole file with its hash", async () => {
    const { call } = tools({ "a.txt": "one\ntwo\n" });
    const hash = hashOf("one\ntwo\n");
    expect(await call("read", { path: "a.txt" })).toEqual(
      ok({ path: "a.txt", hash, text: "one\ntwo\n", fromLine: 1, toLine: 2, totalLines: 2 }),
    );
  });

  it("returns a range of lines and says how to go on", async () => {
    const { call } = tools({ "a.txt": "1\n2\n3\n4" });
    expect(await call("read", { path: "a.txt", fromLine: 2, lines: 2 })).toMatchObject({
      content: { text: "2\n3\n", fromLine: 2, toLine: 3, totalLines: 4, more: "Call read with fromLine 4 to go on." },
    });
    expect(await call("read", { path: "a.txt", fromLine: 9 })).toMatchObject({ content: { text: "", totalLines: 4 } });
  });

  it("cuts what is too much at a whole line, and a single long line inside it", async () => {
    const { call } = tools({ long: `${"x".repeat(99)}\n`.repeat(1_000), wide: "y".repeat(60_000) });
    expect(await call("read", { path: "long" })).toMatchObject({
      content: { toLine: 500, totalLines: 1_000, more: "Call read with fromLine 501 to go on." },
    });
    expect(await call("read", { path: "wide" })).toMatchObject({
      content: {
        text: `${"y".repeat(2_000)}[… 60000 characters in this line]`,
        toLine: 1,
        more: "Line 1 is cut after 2000 characters.",
      },
    });
  });

  it.each([
    ["missing", "missing does not exist. Use glob to find the right path."],
    ["folder", "folder is a folder. Use glob to see what is in it."],
    ["binary", "binary is not a text file (3 bytes)."],
    ["latin", "latin is not a text file (1 bytes)."],
  ])("answers for %s that it %s", async (path, content) => {
    const { call, workspace } = tools({ "folder/x": "" });
    writeFileSync(join(workspace, "binary"), Buffer.from([1, 0, 2]));
    writeFileSync(join(workspace, "latin"), Buffer.from([0xe9]));
    expect(await call("read", { path })).toEqual({ status: "error", content });
  });

  it("refuses links that lead out of the workspace", async () => {
    const { call, workspace } = tools();
    symlinkSync("/etc/passwd", join(workspace, "link"));
    expect(await call("read", { path: "link" })).toMatchObject({ status: "error" });
  });
});

describe("write", () => {
  it("creates a file with its folders, and replaces one whole, keeping its mode", async () => {
    const { call, file, workspace } = tools({ "run.sh": "old" });
    chmodSync(join(workspace, "run.sh"), 0o750);
    expect(await call("write", { path: "new/deep/a.md", content: "hello" })).toEqual(
      ok({ path: "new/deep/a.md", created: true, hash: hashOf("hello") }),
    );
    expect(await call("write", { path: "run.sh", content: "new" })).toMatchObject({ content: { created: false } });
    expect([file("new/deep/a.md"), file("run.sh")]).toEqual(["hello", "new"]);
    expect(statSync(join(workspace, "run.sh")).mode & 0o777).toBe(0o750);
    expect(readdirSync(join(workspace, "new", "deep"))).toEqual(["a.md"]); // nothing temporary is left behind
  });

  it("writes nothing when the file is not what was read", async () => {
    const { call, file } = tools({ "a.txt": "mine" });
    const stale = await call("write", { path: "a.txt", content: "x", expectedHash: hashOf("other") });
    expect(stale).toEqual({
      status: "error",
      content: "a.txt is not what it was when you read it; nothing was written. Read it again and decide anew.",
    });
    expect(await call("write", { path: "gone.txt", content: "x", expectedHash: hashOf("other") })).toMatchObject({
      status: "error",
    });
    expect(file("a.txt")).toBe("mine");
  });

  it("gives a file with several names one of its own", async () => {
    const { call, file, workspace } = tools({ "a.txt": "shared" });
    linkSync(join(workspace, "a.txt"), join(workspace, "b.txt"));
    await call("write", { path: "a.txt", content: "changed" });
    expect([file("a.txt"), file("b.txt")]).toEqual(["changed", "shared"]);
  });

  it("refuses the gateway's own folder, what lies outside, and a folder", async () => {
    const { call, workspace } = tools({ "folder/x": "" });
    for (const path of [".state/token", "../x", "folder"]) {
      expect(await call("write", { path, content: "x" })).toMatchObject({ status: "error" });
    }
    expect(existsSync(join(workspace, ".state"))).toBe(false);
  });

  it("does nothing once it is stopped", async () => {
    const { call, file, stop } = tools({ "a.txt": "a" });
    stop.abort();
    expect(await call("write", { path: "a.txt", content: "b" })).toMatchObject({ status: "error" });
    expect(file("a.txt")).toBe("a");
  });
});

describe("edit", () => {
  it("replaces exactly one piece of text, taking signs like $& literally", async () => {
    const { call, file } = tools({ "a.txt": "one\ntwo\nthree\n" });
    expect(await call("edit", { path: "a.txt", oldText: "two", newText: "$& 2" })).toEqual(
      ok({ path: "a.txt", line: 2, hash: hashOf("one\n$& 2\nthree\n") }),
    );
    expect(file("a.txt")).toBe("one\n$& 2\nthree\n");
  });

  it.each([
    [{ oldText: "zwei", newText: "x" }, "oldText does not occur in it. Read it again and copy the text exactly."],
    [
      { oldText: "aa", newText: "x" },
      "oldText occurs more than once (lines 1 and 1). Include more of the lines around it, or set replaceAll.",
    ],
    [{ oldText: "b", newText: "b" }, "oldText and newText are the same."],
  ])("changes nothing for %j", async (args, why) => {
    const { call, file } = tools({ "a.txt": "aaa b" });
    expect(await call("edit", { path: "a.txt", ...args })).toEqual({
      status: "error",
      content: `a.txt was not changed: ${why}`,
    });
    expect(file("a.txt")).toBe("aaa b");
  });

  it("changes nothing when the file is not what was read", async () => {
    const { call } = tools({ "a.txt": "a" });
    const args = { path: "a.txt", oldText: "a", newText: "b", expectedHash: hashOf("old") };
    expect(await call("edit", args)).toMatchObject({ status: "error" });
  });
});

describe("glob", () => {
  const files = {
    "b.md": "",
    "a.md": "",
    "src/x.ts": "",
    "src/deep/y.ts": "",
    ".git/config": "",
    "node_modules/p/i.js": "",
    ".state/token": "",
  };

  it.each([
    ["*", ["a.md", "b.md"]],
    ["**/*.ts", ["src/deep/y.ts", "src/x.ts"]],
    ["**/*.{md,js}", ["a.md", "b.md"]],
    ["node_modules/**", ["node_modules/p/i.js"]],
    [".git/*", [".git/config"]],
    [".state/*", []],
    ["../*", []],
    ["?.md", ["a.md", "b.md"]],
    ["[!a-a].md", ["b.md"]],
    ["./src/**/[xy].ts", ["src/deep/y.ts", "src/x.ts"]],
    ["{src/{x,deep/y},b}.{ts,md}", ["b.md", "src/deep/y.ts", "src/x.ts"]],
    ["src/**", ["src/deep/y.ts", "src/x.ts"]],
    ["**", ["a.md", "b.md", "src/deep/y.ts", "src/x.ts"]],
    ["\\a.md", ["a.md"]],
    ["{a.md", []],
    ["[a.md", []],
  ])("matches %j in a fixed order", async (pattern, paths) => {
    expect(await tools(files).call("glob", { pattern })).toEqual(ok({ folder: ".", paths }));
  });

  it.each([
    ["choices that multiply", "{a,b}".repeat(90)],
    ["choices inside choices", `${"{a,".repeat(30)}b${"}".repeat(30)}`.repeat(4)],
    ["stars that could stand anywhere", `${"*a".repeat(200)}b`],
    ["folders that could stand anywhere", `${"**/".repeat(100)}b`],
    ["groups that repeat themselves", `${"+(a|a)".repeat(60)}b`],
  ])("[I21] is not held up by %s", async (_name, pattern) => {
    const deep = Array.from({ length: 30 }, () => "a").join("/");
    const { call } = tools({ ["a".repeat(250)]: "", [`${deep}/${"a".repeat(200)}`]: "" });
    const { content } = await call("glob", { pattern });
    expect([{ folder: ".", paths: [] }, TOO_MANY_CHOICES]).toContainEqual(content);
  });
  const TOO_MANY_CHOICES = "The pattern cannot be used: {…} in it stands for more than 256 patterns. Use fewer.";

  it("looks into one folder only, relative to it", async () => {
    expect(await tools(files).call("glob", { pattern: "**", path: "src" })).toEqual(
      ok({ folder: "src", paths: ["deep/y.ts", "x.ts"] }),
    );
  });

  it("does not follow links", async () => {
    const { call, workspace } = tools({ "a/x.md": "" });
    symlinkSync("..", join(workspace, "a", "up"));
    expect(await call("glob", { pattern: "**/*.md" })).toEqual(ok({ folder: ".", paths: ["a/x.md"] }));
  });

  it("is bounded and says so", async () => {
    const { call } = tools(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`f${n}`, ""])));
    const { content } = await call("glob", { pattern: "*" });
    expect(content).toMatchObject({ more: "There may be more: use a narrower pattern or a folder further down." });
  });
});

describe("grep", () => {
  const files = {
    "a.txt": "Tea\ntea time\n",
    "src/b.ts": "const tea = 1;\n",
    "node_modules/x.js": "tea",
    ".state/token": "tea",
    "-rf": "tea\n",
  };

  it("finds lines with their places, and leaves out what is nobody's business", async () => {
    expect(await tools(files).call("grep", { pattern: "tea" })).toEqual(
      ok({
        matches: [
          { path: "-rf", line: 1, text: "tea" },
          { path: "a.txt", line: 2, text: "tea time" },
          { path: "src/b.ts", line: 1, text: "const tea = 1;" },
        ],
      }),
    );
  });

  it.each([
    [{ pattern: "TEA", ignoreCase: true, path: "a.txt" }, ["a.txt:1", "a.txt:2"]],
    [{ pattern: "tea", glob: "*.ts" }, ["src/b.ts:1"]],
    [{ pattern: "tea", glob: ".state/*" }, []],
    [{ pattern: "= 1;", literal: true, path: "src" }, ["src/b.ts:1"]],
    [{ pattern: "--files" }, []],
  ])("honours %j", async (args, places) => {
    const { content } = await tools(files).call("grep", args);
    const { matches } = content as { matches: { path: string; line: number }[] };
    expect(matches.map(({ path, line }) => `${path}:${line}`)).toEqual(places);
  });

  it.each(["state[1]", "{a,b}", "state*", "st?te", "state ", "!state", "st\\ate", "a\nb"])(
    "[GW-04] does not look into the gateway's own folder, whatever signs are in its name: %j",
    async (name) => {
      const { call } = tools({ [`${name}/operator.token`]: "tea" }, name);
      for (const glob of [undefined, "**", "operator.token", `${name}/**`]) {
        const args = { pattern: "tea", ...(glob === undefined ? {} : { glob }) };
        expect(await call("grep", args)).not.toMatchObject({ content: { matches: [{}] } });
      }
    },
  );

  it("tells what is wrong with a pattern", async () => {
    expect(await tools(files).call("grep", { pattern: "(" })).toMatchObject({
      status: "error",
      content: expect.stringContaining("unclosed group"),
    });
  });

  it("is bounded and says so", async () => {
    const lines = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`f${n}`, "x\n".repeat(60)]));
    const { content } = await tools(lines).call("grep", { pattern: "x" });
    expect(content).toMatchObject({ more: "There is more: narrow the pattern, the path or the glob." });
    expect((content as { matches: unknown[] }).matches).toHaveLength(200);
  });

  it("refuses places outside", async () => {
    expect(await tools().call("grep", { pattern: "root", path: "/etc/passwd" })).toMatchObject({ status: "error" });
  });
});
