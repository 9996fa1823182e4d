/**
 * Takes snapshots or rolls back, and is killed with SIGKILL right before its nth write to the disk of that work:
 * node snapshot-writer.ts <folder of the record> <workspace> <calls | rollback> <nth>. Ends with 0 when it got to the end.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const [folder = "", workspace = "", work = "", nth = "0"] = process.argv.slice(2);
const { writeFileSync, rmSync } = fs;
let [counts, writes] = [false, 0];

function dying<Args extends unknown[], Result>(call: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    if (counts && ++writes === Number(nth)) process.kill(process.pid, "SIGKILL");
    return call(...args);
  };
}

const WRITING = [
  "writeSync",
  "writevSync",
  "writeFileSync",
  "renameSync",
  "unlinkSync",
  "rmdirSync",
  "mkdirSync",
  "chmodSync",
  "symlinkSync",
  "fdatasyncSync",
  "fsyncSync",
] as const;
for (const name of WRITING) Object.assign(fs, { [name]: dying(fs[name] as (...args: unknown[]) => unknown) });
syncBuiltinESMExports();

const { openCycleRecord } = await import("../../src/changes/snapshots/cycle-record.ts");
const { orderRollback, performRollback, previewRollback } = await import("../../src/changes/snapshots/rollback.ts");
const { finish } = await import("../../src/changes/snapshots/sliced.ts");

const limits = { filesMax: 1_000, fileBytesMax: 100_000, bytesMax: 10_000_000, ignored: false };
const watched = <Result>(run: () => Result): Result => {
  counts = true;
  const result = run();
  counts = false;
  return result;
};

const record = watched(() => openCycleRecord({ folder, workspace, limits, hidden: [] }));
if (work === "calls") {
  for (const step of [1, 2]) {
    const call = { callId: `c${step}`, tool: "exec", atMs: step, step: { index: step, text: `step ${step}` } };
    const { n } = watched(() => finish(record.before(call)));
    writeFileSync(join(workspace, "a.txt"), `changed by ${step}`);
    writeFileSync(join(workspace, `new-${step}.txt`), "new");
    rmSync(join(workspace, `old-${step}.txt`));
    watched(() => finish(record.after({ n, atMs: step, status: "ok" })));
  }
} else {
  const about = { rollbackId: "rb_1", atMs: 9 };
  const isOrdered = record.lines.some(({ line }) => line === "rollback");
  if (!isOrdered)
    watched(() =>
      orderRollback(record, { ...about, step: null, by: "Ada", conflicts: "keep" }, previewRollback(record, undefined)),
    );
  watched(() => performRollback(record, workspace, about));
}
record.close();
