import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fakeClock } from "../../../../test/kit/fake-clock.ts";
import { runs } from "../../../../test/kit/exec-world.ts";
import { systemClock } from "../../../engine/clock.ts";
import type { Permit, ToolContext, ToolOutput } from "../../../plugins/tool.ts";
import { SessionId } from "../../../protocol/ids.ts";
import { NO_SANDBOX, probedSandbox, type Sandbox } from "../../../runner/sandbox.ts";
import { swapFiles } from "../patch/swap-files.ts";
import { openFile, writeTextFile } from "../text-file.ts";
import { createFileRunners, type FileRunners } from "./file-runners.ts";

const SECRET = "hp_operator_secret";
const sessionId = SessionId.parse("ses_1");
const permit = (epoch = 1): Permit => ({ sessionId, callId: "c", argsDigest: "d", epoch });

type World = {
  workspace: string;
  state: string;
  files: FileRunners;
  context: ToolContext;
  read(path: string): Promise<ToolOutput>;
  write(path: string, content: string, permitted?: Permit): Promise<ToolOutput>;
};

function world(sandbox: Sandbox, clock = systemClock): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-runner-")));
  const [workspace, state] = [join(root, "w"), join(root, "state")];
  mkdirSync(workspace);
  mkdirSync(state);
  writeFileSync(join(state, "operator.token"), SECRET);
  const files = createFileRunners({ sandbox, protectedFolders: [state], clock });
  onTestFinished(async () => {
    await files.endAll();
    rmSync(root, { recursive: true, force: true });
  });
  const signal = new AbortController().signal;
  const context: ToolContext = { sessionId, callId: "c", workspace, signal, emit: () => undefined };
  return {
    workspace,
    state,
    files,
    context,
    read: (path) => files.operation("read")({ path }, context),
    write: (path, content, permitted = permit()) => files.operation("write")({ path, content }, context, permitted),
  };
}

const kinds = [];
for (const builder of ["bubblewrap", "perl", "util-linux"] as const) {
  const sandbox = probedSandbox({ builders: [builder] });
  if ((await sandbox.kind()) === builder) kinds.push([builder, sandbox] as const);
  else process.stdout.write(`runner with ${builder}: skipped, it does not work here\n`);
}

describe.each(kinds)("files by %s", (_name, sandbox) => {
  it("[GA-13, TO-09] are read, found, searched, written, edited and patched", async () => {
    const { files, context, read, write, workspace } = world(sandbox);
    expect(await write("a/b.txt", "one\ntwo\n")).toMatchObject({ status: "ok", content: { created: true } });
    expect(readFileSync(join(workspace, "a/b.txt"), "utf8")).toBe("one\ntwo\n");
    expect(await read("a/b.txt")).toMatchObject({ status: "ok", content: { text: "one\ntwo\n" } });
    const edited = await files.operation("edit")({ path: "a/b.txt", oldText: "two", newText: "2" }, context, permit());
    expect(edited).toMatchObject({ status: "ok", content: { line: 2 } });
    expect(await files.operation("glob")({ pattern: "**/*.txt" }, context)).toMatchObject({
      content: { paths: ["a/b.txt"] },
    });
    expect(await files.operation("grep")({ pattern: "^2$" }, context)).toMatchObject({
      content: { matches: [{ path: "a/b.txt", line: 2 }] },
    });
    const patch = "*** Begin Patch\n*** Delete File: a/b.txt\n*** End Patch";
    expect(await files.operation("apply_patch")({ patch }, context, permit())).toMatchObject({ status: "ok" });
    expect(existsSync(join(workspace, "a/b.txt"))).toBe(false);
  });

  it("[GA-13] lead nowhere through a link that is swapped between check and use", async () => {
    const { workspace, state, read, write } = world(sandbox);
    const plain = join(workspace, "plain");
    mkdirSync(plain);
    writeFileSync(join(plain, "operator.token"), "mine");
    symlinkSync(state, join(workspace, "other"));
    const swapping = swapForever(workspace);
    onTestFinished(swapping.stop);
    for (let n = 0; n < 60; n++) {
      expect(JSON.stringify(await read("plain/operator.token"))).not.toContain(SECRET);
      await write("plain/config.yaml", "requireApproval: false");
    }
    swapping.stop();
    expect(existsSync(join(state, "config.yaml"))).toBe(false);
  });

  it("[GA-13] that prove who the person is stay out of sight in their home, also when they are replaced or made meanwhile", async () => {
    const { workspace, read } = world(sandbox);
    const home = process.env["HOME"];
    process.env["HOME"] = workspace;
    onTestFinished(() => void (process.env["HOME"] = home));
    const file = (name: string): string => join(workspace, name);
    writeFileSync(file("a.txt"), "mine");
    writeFileSync(file(".netrc"), SECRET);
    expect(await read("a.txt")).toMatchObject({ status: "ok", content: { text: "mine" } });
    const seen = async (name: string): Promise<boolean> => JSON.stringify(await read(name)).includes(SECRET);
    expect(await seen(".netrc")).toBe(false);
    for (const n of [1, 2, 3]) {
      writeFileSync(file(".netrc.new"), `${SECRET} ${n}`);
      renameSync(file(".netrc.new"), file(".netrc")); // as a program does that logs in anew
      expect(await seen(".netrc")).toBe(false);
    }
    writeFileSync(file(".pgpass"), SECRET);
    mkdirSync(file(".ssh"));
    writeFileSync(file(".ssh/id_ed25519"), SECRET);
    expect([await seen(".pgpass"), await seen(".ssh/id_ed25519")]).toEqual([false, false]);
  });

  it("[GA-13] outside the workspace are not there, whatever the path checks say", async () => {
    const { workspace, state, files, context } = world(sandbox);
    symlinkSync(state, join(workspace, "way"));
    // as if the gateway had forgotten which folders are its own
    const blind = createFileRunners({ sandbox, protectedFolders: [], clock: systemClock });
    onTestFinished(() => blind.endAll());
    for (const runners of [files, blind]) {
      const found = await runners.operation("grep")({ pattern: SECRET, path: "way" }, context);
      expect(JSON.stringify(found)).not.toContain("operator.token");
    }
  });

  it("[GA-12, GA-13] are changed only with a permit, and not with one of a turn that was taken over", async () => {
    const { write, files, context, workspace } = world(sandbox);
    await expect(files.operation("write")({ path: "a", content: "" }, context)).rejects.toThrow("without a permit");
    expect(await write("a", "new", permit(7))).toMatchObject({ status: "ok" });
    await expect(write("a", "old", permit(6))).rejects.toThrow("epoch 6 after epoch 7");
    const late = { ...context, leaseLeftMs: () => 0 };
    await expect(files.operation("write")({ path: "a", content: "late" }, late, permit(7))).rejects.toThrow(
      "after its lease had ended",
    );
    expect(readFileSync(join(workspace, "a"), "utf8")).toBe("new");
  });

  it("[GA-13] are worked on by a new process when the old one died", async () => {
    const { workspace, read, write } = world(sandbox);
    writeFileSync(join(workspace, "a"), "text");
    expect(await read("a")).toMatchObject({ status: "ok" });
    await write("b", "text");
    killWorkers(workspace);
    expect(await read("a")).toMatchObject({ status: "ok" });
    expect(await write("c", "text")).toMatchObject({ status: "ok" });
  });

  it("[GA-13] are those of the folder that stands there now, when another took its place", async () => {
    const { workspace, read } = world(sandbox);
    writeFileSync(join(workspace, "a"), "first");
    expect(await read("a")).toMatchObject({ content: { text: "first" } });
    renameSync(workspace, `${workspace}-old`);
    mkdirSync(workspace);
    writeFileSync(join(workspace, "a"), "second");
    expect(await read("a")).toMatchObject({ content: { text: "second" } });
  });

  it("[GA-13] of twenty workspaces are changed at once, each with a known outcome", async () => {
    const { files, context, workspace } = world(sandbox);
    const folders = Array.from({ length: 20 }, (_, n) => join(workspace, `w${n}`));
    for (const folder of folders) mkdirSync(folder);
    const outputs = await Promise.allSettled(
      folders.map((folder) =>
        files.operation("write")({ path: "a", content: folder }, { ...context, workspace: folder }, permit()),
      ),
    );
    expect(outputs.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(folders.map((folder) => readFileSync(join(folder, "a"), "utf8"))).toEqual(folders);
  });

  it.runIf(process.getuid?.() === 0)(
    "[GA-13] of another user stay theirs when a gateway that is root edits them",
    async () => {
      const { files, context, workspace } = world(sandbox);
      const path = join(workspace, "a.sh");
      writeFileSync(path, "one");
      chmodSync(path, 0o750);
      chownSync(path, 1_000, 1_000);
      await files.operation("edit")({ path: "a.sh", oldText: "one", newText: "two" }, context, permit());
      const patch = "*** Begin Patch\n*** Update File: a.sh\n@@\n-two\n+three\n*** End Patch";
      await files.operation("apply_patch")({ patch }, context, permit());
      const { uid, gid, mode } = statSync(path);
      expect([readFileSync(path, "utf8").trim(), uid, gid, mode & 0o777]).toEqual(["three", 1_000, 1_000, 0o750]);
    },
  );

  it("[GA-13] need no process after a minute of rest", async () => {
    const clock = fakeClock();
    const { workspace, read } = world(sandbox, clock);
    writeFileSync(join(workspace, "a"), "text");
    await read("a");
    expect(runs(`bind ${workspace}`) || runs(`readable ${workspace}`)).toBe(true);
    clock.advance(60_000);
    await expect.poll(() => runs(workspace)).toBe(false);
    expect(await read("a")).toMatchObject({ status: "ok" });
  });
});

describe("files where the machine has no sandbox", () => {
  it.runIf(process.platform === "linux")(
    "[GA-15] are not the ones that were judged when a folder above became a link: nothing is read or written",
    async () => {
      const { workspace, state } = world(NO_SANDBOX);
      symlinkSync(state, join(workspace, "plain")); // after "plain/operator.token" was judged to lie in the workspace
      const judged = join(workspace, "plain", "operator.token");
      const moved = "a folder above it was exchanged at the same time.";
      expect(await openFile(judged, "x")).toMatchObject({ ok: false, error: `x cannot be read: ${moved}` });
      const target = join(workspace, "plain", "config.yaml");
      expect(await writeTextFile(target, "", undefined)).toMatchObject({ ok: false });
      expect(await writeTextFile(join(workspace, "plain", "new", "a"), "", undefined)).toMatchObject({ ok: false });
      const swap = { path: target, shown: "x", text: "", mode: undefined, isNew: true };
      expect(await swapFiles([swap])).toMatchObject({ ok: false });
      expect(readdirSync(state)).toEqual(["operator.token"]);
    },
  );

  it("[GA-15] are worked on in this process all the same", async () => {
    const { read, write } = world(NO_SANDBOX);
    expect(await write("a/b/c.txt", "text")).toMatchObject({ status: "ok" });
    expect(await read("a/b/c.txt")).toMatchObject({ content: { text: "text" } });
  });
});

/** A program that exchanges a folder and a link for each other as fast as it can. */
function swapForever(workspace: string): { stop(): void } {
  const script = `const { renameSync } = require("node:fs"); process.chdir(${JSON.stringify(workspace)});
    for (;;) for (const name of ["plain", "other"]) try { renameSync("plain", "x"); renameSync("other", "plain"); renameSync("x", "other"); } catch {}`;
  const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
  return { stop: () => void child.kill("SIGKILL") };
}

/** Ends the processes that work on files of this workspace, as a crash would. */
function killWorkers(workspace: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const isWorker = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("file-worker");
      if (isWorker && readFileSync(`/proc/${pid}/mountinfo`, "utf8").includes(workspace)) process.kill(+pid, "SIGKILL");
    } catch {
      // it ended in between
    }
  }
}
