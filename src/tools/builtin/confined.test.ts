/** Calls that are limited to a scope: what is not declared cannot be written, whatever the command does (BY-02). */
import {
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
import { describe, expect, it, onTestFinished } from "vitest";
import { execWorld } from "../../../test/kit/exec-world.ts";
import { systemClock } from "../../engine/clock.ts";
import type { Permit, ToolContext } from "../../plugins/tool.ts";
import { bothConfine, type Confinement } from "../../protocol/calls/confinement.ts";
import { SessionId } from "../../protocol/ids.ts";
import { NO_SANDBOX, probedSandbox, type Sandbox } from "../../runner/sandbox.ts";
import { USUAL_EXEC_SETTINGS } from "./exec/exec-parts.ts";
import { createFileRunners } from "./files/file-runners.ts";

const kinds: [string, Sandbox][] = [];
for (const builder of ["bubblewrap", "perl", "util-linux"] as const) {
  const sandbox = probedSandbox({ builders: [builder] });
  if ((await sandbox.kind()) === builder) kinds.push([builder, sandbox]);
  else process.stdout.write(`confined calls with ${builder}: skipped, it does not work here\n`);
}

const only = (...paths: string[]): readonly Confinement[] => [{ paths, network: false }];
const text = (value: unknown): string => JSON.stringify(value);

describe.each(kinds)("a confined command by %s", (_name, sandbox) => {
  it("[BY-02, GA-13] writes what is declared and nothing else, by no name", async () => {
    const files = { "src/a.txt": "a", "docs/b.md": "b", "docs/c.txt": "c", "top.txt": "t" };
    const world = execWorld({ files, parts: { sandbox } });
    const { workspace, exec } = world;
    symlinkSync("../docs", join(workspace, "src/led"));
    const confine = only("src/", "docs/*.md", "build/", "src/led/c.txt", "missing.txt");
    const tried = [
      "echo 1 > src/new.txt",
      "echo 1 > docs/b.md",
      "echo 1 > build/out.txt",
      "echo 1 > docs/c.txt",
      "echo 1 > src/led/c.txt",
      "echo 1 > top.txt",
      "echo 1 > missing.txt",
      "mv src moved",
      'echo 1 > "$HOME/holdpoint-confined-test"',
    ].map((command) => `(${command}) 2>/dev/null && echo yes || echo no`);
    const done = await exec(tried.join("; "), {}, { workspace, confine });
    const answers = text(done).match(/yes|no(?=\\n|")/g);
    expect(answers).toEqual(["yes", "yes", "yes", "no", "no", "no", "no", "no", "no"]);
    expect(readFileSync(join(workspace, "docs/c.txt"), "utf8")).toBe("c");
    expect(readFileSync(join(workspace, "src/new.txt"), "utf8")).toBe("1\n");
    expect(existsSync(join(workspace, "missing.txt"))).toBe(false);
  });
});

describe.each(kinds.slice(0, 1))("a confined call by %s", (_name, sandbox) => {
  it("[BY-02] of the file tools stays in scope where a link was put in its place", async () => {
    const { files, workspace, write } = fileWorld(sandbox);
    mkdirSync(join(workspace, "src"));
    mkdirSync(join(workspace, "docs"));
    expect(await write("src/a.txt", only("src/"))).toMatchObject({ status: "ok" });
    expect(text(await write("docs/a.txt", only("src/")))).toContain("the approved plan does not declare");
    symlinkSync("../docs", join(workspace, "src/led"));
    expect(text(await write("src/led/a.txt", only("src/")))).toContain("the approved plan does not declare");
    expect(await write("top.txt", only("top.txt"))).toMatchObject({ status: "ok" });
    expect(existsSync(join(workspace, "docs/a.txt"))).toBe(false);
    await files.endAll();
  });
});

function fileWorld(sandbox: Sandbox) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-confined-")));
  const files = createFileRunners({ sandbox, protectedFolders: [], clock: systemClock });
  onTestFinished(async () => {
    await files.endAll();
    rmSync(workspace, { recursive: true, force: true });
  });
  const sessionId = SessionId.parse("ses_1");
  const permit: Permit = { sessionId, callId: "c", argsDigest: "d", epoch: 1 };
  const { signal } = new AbortController();
  const context: ToolContext = { sessionId, callId: "c", workspace, signal, emit: () => undefined };
  const write = (path: string, confine: readonly Confinement[]) =>
    files.operation("write")({ path, content: "x" }, { ...context, confine }, permit);
  return { files, workspace, write };
}

describe("without a sandbox", () => {
  it("[BY-02, GA-15] the file tools check each path, and a command is not run at all", async () => {
    const { write, workspace } = fileWorld(NO_SANDBOX);
    writeFileSync(join(workspace, "b.txt"), "b");
    expect(await write("a.txt", only("a.txt"))).toMatchObject({ status: "ok" });
    expect(text(await write("b.txt", only("a.txt")))).toContain("the approved plan does not declare");
    const settings = () => ({ ...USUAL_EXEC_SETTINGS, sandbox: "none" as const });
    const { exec, workspace: other } = execWorld({ parts: { settings } });
    const answer = await exec("echo 1 > a.txt", {}, { workspace: other, confine: only("a.txt") });
    expect(text(answer)).toContain("limited to what it declares");
    expect(existsSync(join(other, "a.txt"))).toBe(false);
  });
});

it("[BY-02, I16] under several limits only what all of them allow is open", () => {
  const own: Confinement = { paths: ["src/", "docs/a.md"], network: true };
  const above: Confinement = { paths: ["src/lib", "docs/*.md"], network: false };
  expect(bothConfine([own, above])).toEqual({ paths: ["docs/a.md", "src/lib"], network: false });
  expect(bothConfine([{ paths: ["src", "src/", "src/x"], network: true }])).toEqual({ paths: ["src/"], network: true });
});
