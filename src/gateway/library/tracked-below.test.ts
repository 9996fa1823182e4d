import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { trackedBelow } from "./tracked-below.ts";

/** An index of version 2 with these names, as git writes it. */
function indexOf(...names: string[]): Buffer {
  const head = Buffer.alloc(12);
  head.write("DIRC");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(names.length, 8);
  const entries = names.map((name) => {
    const bytes = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
    bytes.writeUInt32BE(0o100644, 24);
    bytes.writeUInt16BE(name.length, 60);
    bytes.write(name, 62);
    return bytes;
  });
  return Buffer.concat([head, ...entries, Buffer.alloc(20)]);
}

const WORK = ".holdpoint/work";

it("[ST-04] what git tracks is read from its index, also above the workspace and of a worktree", async () => {
  const folder = temporaryFolder();
  expect(await trackedBelow(folder, WORK)).toBe(false);
  mkdirSync(join(folder, ".git"));
  expect(await trackedBelow(folder, WORK)).toBe(false);
  const index = join(folder, ".git", "index");
  writeFileSync(index, indexOf(".holdpoint/skills/a", "app/.holdpoint/work/x/plan.md"));
  expect(await trackedBelow(folder, WORK)).toBe(false);
  mkdirSync(join(folder, "app"));
  expect(await trackedBelow(join(folder, "app"), WORK)).toBe(true);
  const worktree = temporaryFolder();
  writeFileSync(join(worktree, ".git"), `gitdir: ${join(folder, ".git")}\n`);
  writeFileSync(index, indexOf(".holdpoint/work/x/plan.md"));
  expect(await trackedBelow(worktree, WORK)).toBe(true);
  writeFileSync(index, "not an index");
  expect(await trackedBelow(folder, WORK)).toBe(true);
});
