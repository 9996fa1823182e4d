/** One install of hooks at a time, also behind one that was killed. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { withInstallLock } from "./install-lock.ts";

it("[IG-03] lets one in at a time, and one that was killed holds nobody up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "install.lock");
  const { pid } = spawnSync(process.execPath, ["--version"]); // it has ended
  writeFileSync(file, String(pid));
  let inside = 0;
  const most: number[] = [];
  const work = async (): Promise<void> => {
    inside += 1;
    for (let turns = 0; turns < 20; turns++) await turn();
    most.push(inside);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 12 }, () => withInstallLock(file, work)));
  expect([most.length, Math.max(...most), existsSync(file)]).toEqual([12, 1, false]);
});
