/** A process is killed before every single write of a snapshot and of a rollback: nothing that was kept is lost (BY-09). */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { snapshotWorld } from "../kit/snapshot-world.ts";

const WRITER = join(import.meta.dirname, "snapshot-writer.ts");
/** More writes than either work makes. */
const WRITES_MAX = 500;

type World = ReturnType<typeof snapshotWorld>;

function filled(): World {
  const at = snapshotWorld();
  for (const name of ["a.txt", "old-1.txt", "old-2.txt", "deep/er/b.txt"]) at.write(name, `${name} as it stood\n`);
  mkdirSync(join(at.workspace, "empty"));
  symlinkSync("a.txt", join(at.workspace, "link"));
  return at;
}

const standing = ({ workspace }: World): string[] =>
  readdirSync(workspace, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path.slice(workspace.length)} ${entry.isFile() ? readFileSync(path, "utf8") : entry.isDirectory()}`;
    })
    .toSorted();

/** Whether it was killed; otherwise it came to its end. */
function killedAt(nth: number, work: "calls" | "rollback", { root, workspace }: World): boolean {
  const args = [WRITER, join(root, "record"), workspace, work, String(nth)];
  const { signal, status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (signal !== "SIGKILL" && status !== 0) throw new Error(`write ${nth}: it ended with ${status}: ${stderr}`);
  return signal === "SIGKILL";
}

it("[BY-09] after a kill in the middle of a snapshot the plan is rolled back whole", () => {
  let kills = 0;
  for (let nth = 1; nth <= WRITES_MAX; nth++) {
    const at = filled();
    const before = standing(at);
    const wasKilled = killedAt(nth, "calls", at);
    at.reopen();
    at.call(undefined, () => undefined); // whoever comes next finds what the killed call changed
    expect(at.rollback().left, `write ${nth}`).toEqual([]);
    expect(standing(at), `write ${nth}`).toEqual(before);
    if (!wasKilled) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(10);
}, 600_000);

it("[BY-09] after a kill in the middle of a rollback the rest is done, and nothing is left beside", () => {
  let kills = 0;
  for (let nth = 1; nth <= WRITES_MAX; nth++) {
    const at = filled();
    const before = standing(at);
    at.call(1, () => {
      at.write("a.txt", "other");
      at.write("made/by/plan.txt", "new");
      at.write("empty/new.txt", "new");
      at.remove("old-1.txt");
      at.remove("deep");
      at.remove("link");
      writeFileSync(join(at.workspace, "link"), "a file now");
    });
    const wasKilled = killedAt(nth, "rollback", at);
    if (wasKilled) killedAt(0, "rollback", at); // whoever comes next goes on
    at.reopen();
    expect(standing(at), `write ${nth}`).toEqual(before);
    expect(at.preview(), `write ${nth}`).toEqual([]);
    if (!wasKilled) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(10);
}, 600_000);
