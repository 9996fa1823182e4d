import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { locate, oddOnWindows } from "./workspace-path.ts";

/** `outside/` beside `W/`, with links of every kind from one to the other. */
function layout() {
  const base = realpathSync(temporaryFolder());
  const workspace = join(base, "W");
  mkdirSync(join(workspace, "src"), { recursive: true });
  mkdirSync(join(workspace, ".state"));
  mkdirSync(join(base, "W-evil"));
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside", "secret"), "s");
  writeFileSync(join(workspace, "a.txt"), "a");
  symlinkSync("../outside", join(workspace, "out"));
  symlinkSync("../outside/secret", join(workspace, "out-file"));
  symlinkSync("../outside/new", join(workspace, "dangling"));
  symlinkSync("loop", join(workspace, "loop"));
  symlinkSync("src", join(workspace, "in"));
  symlinkSync(".state", join(workspace, "state-link"));
  const at = (path: string, protectedFolders: string[] = []) => locate(path, { workspace, protectedFolders });
  return { base, workspace, at };
}

const INSIDE = [
  "a.txt",
  "src/a.ts",
  "./a",
  ".hidden",
  "日本/ファイル.txt",
  "...",
  "-rf",
  "a\\b",
  "..%c0%afx",
  "new/deep/er.txt",
  "in/x.ts",
  ".",
];
const OUTSIDE = [
  "../x",
  "a/b/../../../x",
  "//etc/passwd",
  "/",
  "/etc/passwd",
  "~root/x",
  "~/x",
  "/dev/fd/0",
  "W-evil/../..",
  "../W-evil/x",
  "a\u0000.txt",
  "",
  "out/secret",
  "out/new",
  "out-file",
  "dangling",
  "loop",
  "loop/x",
  "src/../../outside/secret",
  "a.txt/../../outside",
  "x".repeat(300),
  "d/".repeat(300),
  "a/".repeat(3_000),
];

describe("workspace path", () => {
  it.each(INSIDE)("lets %j pass", async (path) => {
    const { at, workspace } = layout();
    const located = await at(path);
    expect(located).toMatchObject({ ok: true });
    expect(located.ok && located.path.startsWith(workspace)).toBe(true);
  });

  it.each(OUTSIDE)("refuses %j", async (path) => {
    expect(await layout().at(path)).toMatchObject({ ok: false });
  });

  it("never takes a look-alike of .. for a way up", async () => {
    const { at, workspace } = layout();
    for (const path of ["\u2024\u2024/x", "..\u2215x"]) {
      const located = await at(path);
      expect(!located.ok || located.path.startsWith(`${workspace}/`)).toBe(true);
    }
  });

  it("says what is wrong and what to do, without naming folders of the machine", async () => {
    expect(await layout().at("../x")).toEqual({
      ok: false,
      error: 'The path "../x" cannot be used: it lies outside the workspace. Use a path relative to the workspace.',
    });
  });

  it("takes an absolute path that lies inside", async () => {
    const { at, workspace } = layout();
    expect(await at(join(workspace, "src", "a.ts"))).toEqual({
      ok: true,
      path: join(workspace, "src", "a.ts"),
      shown: join("src", "a.ts"),
    });
  });

  it("[GW-04] refuses the gateway's own folder inside the workspace, by name, by link and before it exists", async () => {
    const { at, workspace } = layout();
    const state = join(workspace, ".state");
    expect(await at(".state/token", [state])).toMatchObject({ ok: false });
    expect(await at("state-link/token", [state])).toMatchObject({ ok: false });
    expect(await at(".state", [state])).toMatchObject({ ok: false });
    expect(await at("later/token", [join(workspace, "later")])).toMatchObject({ ok: false });
    expect(await at(".stately", [state])).toMatchObject({ ok: true });
  });

  it("refuses everything while a protected folder cannot be resolved", async () => {
    const { at, workspace } = layout();
    expect(await at("a.txt", [join(workspace, "loop")])).toMatchObject({ ok: false });
  });

  it("refuses everything in a workspace that is gone", async () => {
    const { workspace } = layout();
    expect(await locate("a", { workspace: join(workspace, "gone"), protectedFolders: [] })).toMatchObject({
      ok: false,
    });
  });

  it.each(["\\\\.\\PhysicalDrive0", "NUL.tar.gz", "LPT9", "CONIN$", "a.txt.", "a.txt ", "a<b", "a|b", "a:stream"])(
    "knows that Windows reads %j as something else",
    (path) => expect(oddOnWindows(path)).toBe(true),
  );

  it.each(["a.txt", "src\\a.ts", "C:\\work\\a", "..", "./a", "console.log"])(
    "knows that Windows reads %j as written",
    (path) => expect(oddOnWindows(path)).toBe(false),
  );
});
