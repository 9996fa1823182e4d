/** Everything that is asked of snapshots, on open records of cycles; runs in slices in a thread of its own, or at once in tests. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  CALLS_LISTED_MAX,
  type ChangedFile,
  type ChangingCall,
  type Conflict,
  FILES_LISTED_MAX,
  type FileDiff,
  type PreviewedFile,
  type RollbackPreview,
  type StepChanges,
} from "../protocol/changes.ts";
import { type CallBegun, type CallEnded, type CyclePlace, type CycleRecord, openCycleRecord } from "./cycle-record.ts";
import { changeOf, type Delta, type Entry, isNotKept, linkTarget } from "./entry.ts";
import { diffFile, type Side } from "./file-diff.ts";
import {
  type History,
  historyOf,
  netOf,
  outsideOf,
  type RecordedCall,
  type RecordedRollback,
  type StepKey,
} from "./history.ts";
import { gapsIn } from "./gaps.ts";
import { orderRollback, performRollback, previewRollback, type RollbackOrder } from "./rollback.ts";
import type { Sliced } from "./sliced.ts";

/** Records that are held open; the one that was used longest ago makes room. */
const OPEN_MAX = 8;
/** Cycles of one session whose snapshots are kept. */
const CYCLES_KEPT_MAX = 20;
const ADDED_PATHS_MAX = 5_000;
const GAPS_LISTED_MAX = 100;

/** What the record of a cycle says, before anybody marks what the plan declares. */
export type RecordedChanges = {
  steps: StepChanges[];
  outside: ChangedFile[];
  moreOutside: number;
  /** All files that the plan changed. */
  paths: string[];
  rollbacks: {
    rollbackId: string;
    step: number | null;
    by: string;
    atMs: number;
    restored: number | null;
    left: { path: string; why: string }[];
  }[];
  gaps: { path: string; why: string }[];
};

export type DiffQuery = { step?: number | null | undefined; of: "plan" | "others"; path: string };

/** The records that are held open. */
function openRecords() {
  const open = new Map<string, CycleRecord>();
  const inUse = new Set<string>();
  function close(folder: string): void {
    open.get(folder)?.close();
    open.delete(folder);
  }
  function recordOf(place: CyclePlace): CycleRecord {
    const known = open.get(place.folder);
    const record = known ?? openCycleRecord(place);
    open.delete(place.folder);
    open.set(place.folder, record); // last: it is the newest
    const oldest = open.keys().find((folder) => folder !== place.folder && !inUse.has(folder));
    if (open.size > OPEN_MAX && oldest !== undefined) close(oldest);
    return record;
  }
  /** Between the slices of this work others open their records: this one stays open. */
  function* using<T>(place: CyclePlace, work: (record: CycleRecord) => Sliced<T>): Sliced<T> {
    const record = recordOf(place);
    inUse.add(place.folder);
    try {
      return yield* work(record);
    } finally {
      inUse.delete(place.folder);
    }
  }
  return { open, close, recordOf, using };
}

export function createSnapshotOps() {
  const { open, close, recordOf, using } = openRecords();
  return {
    *begin({ place, call }: { place: CyclePlace; call: CallBegun }) {
      if (!open.has(place.folder) && !existsSync(place.folder)) dropOldest(place.folder, close);
      return yield* using(place, (record) => record.before(call));
    },
    end: ({ place, call }: { place: CyclePlace; call: CallEnded }) =>
      using(place, function* endCall(record) {
        const { changed } = yield* record.after(call);
        const paths = standing(historyOf(record.lines));
        return { files: changed.length, paths: paths.slice(0, ADDED_PATHS_MAX), pathCount: paths.length };
      }),
    /** What the plan changed by now, where nobody hears of the end of a call. */
    standing({ place }: { place: CyclePlace }) {
      const record = recordOf(place);
      return standing(historyOf(record.lines)).slice(0, ADDED_PATHS_MAX);
    },
    read: ({ place }: { place: CyclePlace }): Sliced<RecordedChanges> =>
      using(place, function* readRecord(record) {
        yield* record.settle();
        return recordedChanges(record);
      }),
    diff: ({ place, query }: { place: CyclePlace; query: DiffQuery }) => diffOf(recordOf(place), query),
    preview: ({ place, step }: { place: CyclePlace; step: number | undefined }) =>
      using(place, (record) => previewOf(record, step)),
    order({ place, order, digest }: { place: CyclePlace; order: RollbackOrder; digest: string }) {
      const record = recordOf(place);
      if (record.isBusy()) return "busy" as const;
      const preview = previewRollback(record, order.step ?? undefined);
      if (preview.digest !== digest) return "stale" as const;
      orderRollback(record, order, preview);
      return "ordered" as const;
    },
    restore({ place, at }: { place: CyclePlace; at: { rollbackId: string; atMs: number } }) {
      const record = recordOf(place);
      const { restored, left } = performRollback(record, record.workspace, at);
      return { restored: restored.map(({ path }) => path), left };
    },
    /** Undefined: there was no such rollback, or it is not finished. */
    rolledBack({ place, rollbackId }: { place: CyclePlace; rollbackId: string }) {
      const done = historyOf(recordOf(place).lines).rollbacks.find(
        ({ order }) => order.rollbackId === rollbackId,
      )?.done;
      return done === undefined ? undefined : { restored: done.changed.length, left: done.left };
    },
    forget({ folder }: { folder: string }) {
      for (const known of open.keys()) if (known.startsWith(`${folder}/`)) close(known);
      rmSync(folder, { recursive: true, force: true });
      return {};
    },
  };
}

export type SnapshotOps = ReturnType<typeof createSnapshotOps>;

/** Only as many cycles of a session are kept: the one that was touched longest ago goes. */
function dropOldest(folder: string, close: (folder: string) => void): void {
  const session = join(folder, "..");
  if (!existsSync(session)) return;
  const cycles = readdirSync(session).map((name) => join(session, name));
  const byAge = cycles.toSorted((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  for (const old of byAge.slice(0, Math.max(0, cycles.length + 1 - CYCLES_KEPT_MAX))) {
    close(old);
    rmSync(old, { recursive: true, force: true });
  }
}

function recordedChanges(record: CycleRecord): RecordedChanges {
  const history = historyOf(record.lines);
  const outside = outsideOf(history).map(changedFile);
  const { base } = history;
  const more =
    base !== undefined && base.skippedCount > base.skipped.length
      ? [{ path: "", why: `${base.skippedCount} files could not be read` }]
      : [];
  return {
    steps: history.steps.map((step) => {
      const key = step?.index ?? null;
      const calls = history.calls.filter(({ begin }) => (begin.step?.index ?? null) === key);
      const files = netOf(history, key).map(changedFile);
      return {
        step: key,
        text: step?.text ?? "",
        calls: calls.slice(-CALLS_LISTED_MAX).map(changingCall),
        moreCalls: Math.max(0, calls.length - CALLS_LISTED_MAX),
        files: files.slice(0, FILES_LISTED_MAX),
        moreFiles: Math.max(0, files.length - FILES_LISTED_MAX),
      };
    }),
    outside: outside.slice(0, FILES_LISTED_MAX),
    moreOutside: Math.max(0, outside.length - FILES_LISTED_MAX),
    paths: standing(history),
    rollbacks: history.rollbacks.filter(({ done }) => done !== undefined).map(recordedRollback), // the others are under way, or were refused
    gaps: [...record.lines.flatMap(gapsIn), ...more].slice(0, GAPS_LISTED_MAX),
  };
}

/** What the plan changed and nobody put back. */
const standing = (history: History): string[] =>
  netOf(history, undefined).flatMap(({ path, isRestored }) => (isRestored ? [] : path));

function changedFile(delta: Delta & { isRestored?: boolean }): ChangedFile {
  const { path, before, isRestored } = delta;
  const isLost = before !== null && isNotKept(before.ref);
  return {
    path,
    change: changeOf(delta),
    ...(isLost ? { lost: true } : {}),
    ...(isRestored === true ? { restored: true } : {}),
  };
}

function changingCall({ begin, end }: RecordedCall): ChangingCall {
  const { callId, tool, command, atMs } = begin;
  return {
    callId,
    tool,
    ...(command === undefined ? {} : { command }),
    atMs,
    endedAtMs: end?.atMs ?? null,
    status: end?.status ?? "running",
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    files: end?.changed.length ?? 0,
  };
}

const recordedRollback = ({ order, done }: RecordedRollback): RecordedChanges["rollbacks"][number] => ({
  rollbackId: order.rollbackId,
  step: order.step,
  by: order.by,
  atMs: order.atMs,
  restored: done?.changed.length ?? null,
  left: (done?.left ?? []).slice(0, FILES_LISTED_MAX),
});

/** Undefined: it did not change this file. */
function diffOf(record: CycleRecord, { step, of, path }: DiffQuery): FileDiff | undefined {
  const history = historyOf(record.lines);
  const deltas: readonly Delta[] = of === "others" ? outsideOf(history) : netOf(history, keyOf(step));
  const found = deltas.find((delta) => delta.path === path);
  if (found === undefined) return undefined;
  return { path, change: changeOf(found), ...diffFile(sideOf(found.before, record), sideOf(found.after, record)) };
}

const keyOf = (step: number | null | undefined): StepKey | undefined => step;

/** A link is shown as the path that it leads to. */
function sideOf(entry: Entry | null, record: CycleRecord): Side {
  if (entry === null) return null;
  const target = linkTarget(entry.ref);
  return target === undefined ? record.content(entry.ref) : Buffer.from(`→ ${target}`);
}

function* previewOf(record: CycleRecord, step: number | undefined): Sliced<RollbackPreview> {
  yield* record.settle();
  const { digest, files } = previewRollback(record, step);
  const listed = files.map(({ path, before, after, conflict }): PreviewedFile => ({
    path,
    change: changeOf({ before, after }),
    ...conflictIn(conflict),
  }));
  // those that need a choice first: a long list is cut at its end
  const sorted = listed.toSorted((a, b) => Number(b.conflict !== undefined) - Number(a.conflict !== undefined));
  return {
    digest,
    step: step ?? null,
    files: sorted.slice(0, FILES_LISTED_MAX),
    moreFiles: Math.max(0, files.length - FILES_LISTED_MAX),
    conflicts: files.filter(({ conflict }) => conflict !== undefined).length,
  };
}

const conflictIn = (conflict: Conflict | undefined): { conflict?: Conflict } =>
  conflict === undefined ? {} : { conflict };
