import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSnapshotThread } from "./snapshot-thread.ts";

const LIMITS = { filesMax: 50_000, fileBytesMax: 10_000, bytesMax: 10_000_000, ignored: false };
const LARGE_FOLDERS = 40;
const FILES_EACH = 50;

function threadWorld() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-thread-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const snapshots = createSnapshotThread();
  onTestFinished(() => snapshots.stop());
  return {
    workspace(name: string, folders: number) {
      for (let folder = 0; folder < folders; folder++) {
        const path = join(root, name, `folder${folder}`);
        mkdirSync(path, { recursive: true });
        for (let file = 0; file < FILES_EACH; file++) writeFileSync(join(path, `${file}.txt`), `${folder}/${file}`);
      }
    },
    begin: (session: string, workspace: string) =>
      snapshots.ask("begin", {
        place: {
          folder: join(root, "changes", session, "cycle"),
          workspace: join(root, workspace),
          limits: LIMITS,
          hidden: [],
        },
        call: { callId: session, tool: "exec", atMs: 1 },
      }),
  };
}

describe("sessions do not wait for each other's snapshots", () => {
  it("[BY-09] a small workspace's snapshot is there before a large one's that was asked for first", async () => {
    const at = threadWorld();
    at.workspace("large", LARGE_FOLDERS);
    at.workspace("small", 1);
    const order: string[] = [];
    const large = at.begin("s1", "large").then(() => order.push("large"));
    const small = at.begin("s2", "small").then(() => order.push("small"));
    await Promise.all([large, small]);
    expect(order).toEqual(["small", "large"]);
  });
});
