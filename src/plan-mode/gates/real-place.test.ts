import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { judgeInEdits } from "./edit-call.ts";
import { editPlaceOf, folderOf, isFolder, placeOf, realpath } from "./real-place.ts";

describe("where a call would run", () => {
  it("[AE-04] is the folder that it names, seen from the session's own", () => {
    expect(folderOf("/w", {})).toBe("/w");
    expect(folderOf("/w", { cwd: "sub/../other" })).toBe("/w/other");
    expect(folderOf("/w", { cwd: "/srv" })).toBe("/srv");
    expect(folderOf("/w", { cwd: 7 })).toBe("/w");
  });

  it("[AE-04] is this machine as it is", () => {
    const place = placeOf("/w");
    expect(place).toEqual({ cwd: "/w", home: homedir() });
    expect(editPlaceOf(place)).toEqual({
      cwd: "/w",
      home: homedir(),
      realpath,
      ignoreCase: ["darwin", "win32"].includes(process.platform),
      pids: [process.pid],
      scripts: process.argv.slice(1, 2),
    });
  });

  it("[AE-04] takes case as the file system of its platform does", () => {
    const ignoring = ["darwin", "win32", "linux", "freebsd"].map(
      (platform) => editPlaceOf(placeOf("/w"), platform).ignoreCase,
    );
    expect(ignoring).toEqual([true, true, false, false]);
  });

  it("[AE-04] follows symlinks, and knows nothing of what is not there", () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-place-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    symlinkSync(root, join(root, "link"));
    expect(realpath(join(root, "link"))).toBe(root);
    expect(realpath(join(root, "missing"))).toBeUndefined();
    expect(realpath("\0")).toBeUndefined();
    expect([isFolder(root), isFolder(join(root, "link")), isFolder(join(root, "missing"))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(isFolder(import.meta.filename)).toBe(false);
  });

  it("[AE-02] has the gateway's own process, which no call may end by its number", () => {
    const here = editPlaceOf(placeOf("/w"));
    const kill = (pid: number) => judgeInEdits({ tool: "exec", args: { command: `kill ${pid}` } }, here);
    expect(kill(process.pid)).toMatchObject({ allowed: false, class: "gateway-control" });
    expect(kill(process.pid + 1)).toEqual({ allowed: true });
  });
});
