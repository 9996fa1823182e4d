/** Workspaces as people have them, and as a hostile one may look. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../engine/clock.ts";
import type { Permit, ToolContext } from "../../../plugins/tool.ts";
import { SessionId } from "../../../protocol/ids.ts";
import { RunnerEnded } from "../../../runner/runner.ts";
import { probedSandbox, type Sandbox } from "../../../runner/sandbox.ts";
import { createFileRunners } from "./file-runners.ts";

const SECRET = "hp_operator_secret";
const sessionId = SessionId.parse("ses_1");
const permit: Permit = { sessionId, callId: "c", argsDigest: "d", epoch: 1 };
const isRoot = process.getuid?.() === 0;

const kinds: (readonly [string, Sandbox])[] = [];
for (const builder of ["bubblewrap", "util-linux"] as const) {
  const sandbox = probedSandbox({ builders: [builder] });
  if ((await sandbox.kind()) === builder) kinds.push([builder, sandbox]);
  else process.stdout.write(`odd workspaces with ${builder}: skipped, it does not work here\n`);
}

function folderIn(parent: string): string {
  const made = realpathSync(mkdtempSync(join(parent, "holdpoint-odd-")));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function filesOf(sandbox: Sandbox, workspace: string, state = folderIn("/tmp")) {
  writeFileSync(join(state, "operator.token"), SECRET);
  const files = createFileRunners({ sandbox, protectedFolders: [state], clock: systemClock });
  onTestFinished(() => files.endAll());
  const stop = new AbortController();
  const context: ToolContext = { sessionId, callId: "c", workspace, signal: stop.signal, emit: () => undefined };
  return {
    files,
    context,
    stop,
    read: (path: string) => files.operation("read")({ path }, context),
    write: (path: string, content: string) => files.operation("write")({ path, content }, context, permit),
    edit: (path: string, oldText: string, newText: string) =>
      files.operation("edit")({ path, oldText, newText }, context, permit),
  };
}

describe.each(kinds)("files by %s", (_kind, sandbox) => {
  it.each(["new\nline 7", "back\\slash\\040x", "-n '$(id)\" ünï"])(
    "[GA-13] are read and written in a workspace named %j",
    async (name) => {
      const workspace = join(folderIn("/tmp"), name);
      mkdirSync(workspace);
      const { read, write, files, context } = filesOf(sandbox, workspace);
      expect(await write("x/-a 1.txt", "text")).toMatchObject({ status: "ok" });
      expect(await read("x/-a 1.txt")).toMatchObject({ content: { text: "text" } });
      expect(await files.operation("grep")({ pattern: "text" }, context)).toMatchObject({
        content: { matches: [{ path: "x/-a 1.txt" }] },
      });
    },
  );

  it.runIf(isRoot).each(["/root", "/srv", "/usr/local", "/run", "/dev/shm"])(
    "[GA-13] are read and written in a workspace below %s",
    async (parent) => {
      const { read, write } = filesOf(sandbox, folderIn(parent));
      expect(await write("a", "text")).toMatchObject({ status: "ok" });
      expect(await read("a")).toMatchObject({ content: { text: "text" } });
    },
  );

  it("[GA-13] of the gateway inside the workspace are not there", async () => {
    const workspace = folderIn("/tmp");
    const state = join(workspace, "state");
    mkdirSync(state);
    symlinkSync("state", join(workspace, "way"));
    symlinkSync("state/operator.token", join(workspace, "straight"));
    const { read, write, files, context } = filesOf(sandbox, workspace, state);
    const tried = [
      await read("state/operator.token"),
      await read("way/operator.token"),
      await read("straight"),
      await write("state/x", ""),
      await write("way/x", ""),
      await files.operation("grep")({ pattern: "hp_" }, context),
      await files.operation("glob")({ pattern: "**/*" }, context),
    ];
    expect(JSON.stringify(tried)).not.toContain(SECRET);
    expect(readdirSync(state)).toEqual(["operator.token"]);
  });

  it("[GA-13] that are pipes, sockets or devices stop nobody", async () => {
    const workspace = folderIn("/tmp");
    spawnSync("mkfifo", [join(workspace, "pipe")]);
    const server = createServer().listen(join(workspace, "socket"));
    await new Promise((listening) => server.once("listening", listening));
    onTestFinished(() => void server.close());
    writeFileSync(join(workspace, "a"), "text");
    const { read, write, files, context } = filesOf(sandbox, workspace);
    for (const name of ["pipe", "socket"]) {
      expect(await read(name)).toMatchObject({ status: "error" });
      expect(await write(name, "x")).toMatchObject({ status: "error" });
    }
    expect(await files.operation("grep")({ pattern: "text" }, context)).toMatchObject({ status: "ok" });
    expect(lstatSync(join(workspace, "pipe")).isFIFO()).toBe(true);
  });

  it("[GA-13] keep their modes, links and folders' groups", async () => {
    const workspace = folderIn("/tmp");
    const at = (name: string): string => join(workspace, name);
    writeFileSync(at("run.sh"), "one");
    chmodSync(at("run.sh"), 0o751);
    writeFileSync(at("target"), "one");
    symlinkSync("target", at("link"));
    writeFileSync(at("first"), "one");
    linkSync(at("first"), at("second"));
    mkdirSync(at("shared"));
    chmodSync(at("shared"), 0o2775);
    const { edit, write } = filesOf(sandbox, workspace);
    for (const name of ["run.sh", "link", "first"])
      expect(await edit(name, "one", "two")).toMatchObject({ status: "ok" });
    await write("shared/new", "");
    expect(statSync(at("run.sh")).mode & 0o7777).toBe(0o751);
    expect([lstatSync(at("link")).isSymbolicLink(), readFileSync(at("target"), "utf8")]).toEqual([true, "two"]);
    expect([readFileSync(at("first"), "utf8"), readFileSync(at("second"), "utf8")]).toEqual(["two", "one"]);
    expect(statSync(at("shared/new")).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(statSync(at("shared/new")).gid).toBe(statSync(at("shared")).gid);
  });

  it("[GA-13] are answered to hundreds of calls at once, some of them called off", async () => {
    const workspace = folderIn("/tmp");
    writeFileSync(join(workspace, "big"), "line of text\n".repeat(50_000));
    const { files, context } = filesOf(sandbox, workspace);
    const all = Array.from({ length: 120 }, async (_, n) => {
      const stop = new AbortController();
      const own = { ...context, signal: stop.signal };
      if (n % 5 === 0) void abortAfter(stop, n);
      if (n % 3 === 0) return files.operation("grep")({ pattern: "no such" }, own);
      if (n % 3 === 1) return files.operation("write")({ path: `f${n % 10}`, content: "x".repeat(1_000) }, own, permit);
      return files.operation("read")({ path: "big", fromLine: n }, own);
    });
    const ended = await Promise.allSettled(all);
    // who calls a call off on a busy machine may be told that nobody knows what became of it
    const lost = ended.filter(
      (end, n) => end.status === "rejected" && (n % 5 !== 0 || !(end.reason instanceof RunnerEnded)),
    );
    expect(lost).toEqual([]);
    expect(readdirSync(workspace).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("[GA-13] of a folder around the gateway's own package can be written", async () => {
    const workspace = dirname(folderIn(join(import.meta.dirname, "../../../../node_modules/.cache")));
    const { read, write } = filesOf(sandbox, join(workspace, "../.."));
    const path = "node_modules/.cache/holdpoint-odd.txt";
    onTestFinished(() => rmSync(join(workspace, "holdpoint-odd.txt"), { force: true }));
    expect(await write(path, "text")).toMatchObject({ status: "ok" });
    expect(await read(path)).toMatchObject({ content: { text: "text" } });
  });

  it("[GA-13] of the whole machine are there when that is the workspace, without the gateway's own", async () => {
    const state = folderIn("/tmp");
    const { read } = filesOf(sandbox, "/", state);
    expect(await read("etc/passwd")).toMatchObject({ status: "ok" });
    expect(JSON.stringify(await read(join(state, "operator.token")))).not.toContain(SECRET);
  });

  // open: the file tools show the whole workspace, and with it what `exec` hides from a proven read
  it("[GA-13] that prove who the person is are not there for who works in their home folder", async () => {
    const workspace = folderIn("/tmp");
    mkdirSync(join(workspace, ".ssh"));
    writeFileSync(join(workspace, ".ssh/id_ed25519"), SECRET);
    const before = process.env["HOME"];
    process.env["HOME"] = workspace;
    onTestFinished(() => void (process.env["HOME"] = before));
    const { read } = filesOf(sandbox, workspace);
    expect(JSON.stringify(await read(".ssh/id_ed25519"))).not.toContain(SECRET);
  });

  it("[GA-13] that cannot be written say so", async () => {
    const workspace = folderIn("/tmp");
    const { write } = filesOf(sandbox, join(workspace, "missing"));
    expect(await write("a", "")).toMatchObject({ status: "error" });
  });
});

/** After so many turns of the event loop. */
async function abortAfter(stop: AbortController, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
  stop.abort();
}
