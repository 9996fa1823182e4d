import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const STORY = fileURLToPath(new URL("../../../test/kit/full-disk.ts", import.meta.url));
const UNSHARE = "unshare"; // part of every Linux
const DISK = "mount -t tmpfs -o size=8m tmpfs";

/** Linux lets a program mount a small disk that nobody else sees; elsewhere there is no such thing to test with. */
const canMount = spawnSync(UNSHARE, ["-rm", "sh", "-c", `${DISK} /tmp`]).status === 0;

function onSmallDisk(): unknown {
  const disk = mkdtempSync(join(tmpdir(), "holdpoint-disk-"));
  onTestFinished(() => rmSync(disk, { recursive: true }));
  const script = `${DISK} "$0" && exec "$1" "$2" "$0/state"`;
  return JSON.parse(execFileSync(UNSHARE, ["-rm", "sh", "-c", script, disk, process.execPath, STORY], TEXT));
}

const TEXT = { encoding: "utf8" } as const;

describe.skipIf(!canMount)("a full disk", () => {
  it("refuses what can wait, takes what makes things safer, reads on, and recovers by itself", () => {
    const full = { reason: "full", outcome: "nothing-written", message: expect.stringContaining("Free some space") };
    expect(onSmallDisk()).toEqual({
      refusal: { status: "failed", failure: full },
      health: { writable: false, detail: expect.stringContaining("disk is full") },
      vital: ["committed"],
      ordinary: { status: "failed", failure: full },
      readable: 41,
      ballastReleased: true,
      recovered: "committed",
      ballastBack: true,
      healthAfter: { writable: true, detail: "SQLite" },
      lost: [],
      audit: { intact: true, rows: expect.any(Number), headHash: expect.any(String) },
      fatal: null,
    });
  });
});
