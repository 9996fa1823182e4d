/** A workspace, the record of one plan's cycle over it, and calls that do what a test says. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type CyclePlace, openCycleRecord, type SnapshotLimits } from "../../src/changes/snapshots/cycle-record.ts";
import { changeOf } from "../../src/changes/snapshots/entry.ts";
import { orderRollback, performRollback, previewRollback } from "../../src/changes/snapshots/rollback.ts";
import { finish } from "../../src/changes/snapshots/sliced.ts";

const LIMITS: SnapshotLimits = { filesMax: 1_000, fileBytesMax: 10_000, bytesMax: 1_048_576, ignored: false };

export function snapshotWorld(limits: Partial<SnapshotLimits> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-changes-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  const place: CyclePlace = { folder: join(root, "record"), workspace, limits: { ...LIMITS, ...limits }, hidden: [] };
  let record = openCycleRecord(place);
  onTestFinished(() => record.close());
  let [calls, rollbacks] = [0, 0];
  return {
    root,
    workspace,
    place,
    get record() {
      return record;
    },
    write(path: string, text: string | Buffer) {
      mkdirSync(join(workspace, path, ".."), { recursive: true });
      writeFileSync(join(workspace, path), text);
    },
    read: (path: string) => readFileSync(join(workspace, path), "utf8"),
    remove: (path: string) => rmSync(join(workspace, path), { recursive: true }),
    call(step: number | undefined, work: () => void, targets?: string[]) {
      const at = { callId: `call_${++calls}`, tool: "exec", atMs: calls };
      const ref = step === undefined ? {} : { step: { index: step, text: `step ${step}` } };
      const { n, outside } = finish(record.before({ ...at, ...ref, ...(targets === undefined ? {} : { targets }) }));
      work();
      const { changed } = finish(record.after({ n, atMs: calls, status: "ok", exitCode: 0 }));
      return { outside, changed: changed.map((delta) => `${changeOf(delta)} ${delta.path}`).toSorted() };
    },
    /** As after a kill: what was in memory is gone. */
    reopen() {
      record.close();
      record = openCycleRecord(place);
    },
    rollback(step?: number, conflicts: "keep" | "overwrite" = "keep") {
      const rollbackId = `rb_${++rollbacks}`;
      const preview = previewRollback(record, step);
      orderRollback(record, { rollbackId, step: step ?? null, by: "Ada", atMs: 9, conflicts }, preview);
      const { restored, left } = performRollback(record, workspace, { rollbackId, atMs: 10 });
      return { restored: restored.map(({ path }) => path).toSorted(), left };
    },
    preview: (step?: number) =>
      previewRollback(record, step).files.map(
        ({ path, conflict }) => `${path}${conflict === undefined ? "" : ` ${conflict}`}`,
      ),
  };
}
