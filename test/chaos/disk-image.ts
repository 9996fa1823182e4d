/**
 * What a disk may hold after a power cut: everything that was synced, and of the rest any part, in any order, torn at the
 * end of any sector. A file that was made or removed is so for certain once its folder was synced.
 */
import type { Random } from "../kit/random.ts";
import type { RecordedOp } from "./recorded-writes.ts";

const SECTOR_BYTES = 512;
const TORN_RATE = 0.1;
const CONTENT_BYTES = 65_536;

type Change = Extract<RecordedOp, { op: "write" | "truncate" }>;
type DiskFile = { synced: Content; pending: Change[]; exists: "yes" | "made" | "removed" };

export type DiskImage = { files: Map<string, Buffer>; acknowledged: string[] };

/** The disk after the first `cut` operations. */
export function imageAt(ops: readonly RecordedOp[], cut: number, random: Random): DiskImage {
  const files = new Map<string, DiskFile>();
  const acknowledged: string[] = [];
  const fileOf = (name: string): DiskFile => {
    const file = files.get(name) ?? newFile();
    files.set(name, file);
    return file;
  };
  for (const op of ops.slice(0, cut)) follow(op, { files, fileOf, acknowledged });
  const keepRate = random.pick([0, 0.5, 1]);
  const isKept = (): boolean => random.next() < keepRate;
  const kept = [...files].flatMap(([name, file]): [string, Buffer][] => {
    const isThere = file.exists === "yes" || isKept() === (file.exists === "made");
    return isThere ? [[name, contentOf(file, isKept, random)]] : [];
  });
  return { files: new Map(kept), acknowledged };
}

type Disk = { files: Map<string, DiskFile>; fileOf(name: string): DiskFile; acknowledged: string[] };

function follow(op: RecordedOp, { files, fileOf, acknowledged }: Disk): void {
  switch (op.op) {
    case "acknowledged":
      return void acknowledged.push(op.key);
    case "create":
      return void files.set(op.file, newFile());
    case "remove": {
      fileOf(op.file).exists = "removed";
      return;
    }
    case "sync": {
      const file = fileOf(op.file);
      for (const change of file.pending) apply(file.synced, change);
      file.pending = [];
      return;
    }
    case "sync-folder":
      for (const [name, file] of files)
        if (file.exists === "removed") files.delete(name);
        else file.exists = "yes";
      return;
    default:
      fileOf(op.file).pending.push(op);
  }
}

function contentOf({ synced, pending }: DiskFile, isKept: () => boolean, random: Random): Buffer {
  for (const change of pending) if (isKept()) apply(synced, torn(change, random));
  return synced.bytes.subarray(0, synced.size);
}

function torn(change: Change, random: Random): Change {
  if (change.op !== "write" || random.next() > TORN_RATE) return change;
  const sectors = Math.ceil(change.bytes.length / SECTOR_BYTES);
  return { ...change, bytes: change.bytes.subarray(0, random.below(sectors) * SECTOR_BYTES) };
}

/** Grows in place: copying a file for each write would take longer than everything else. */
type Content = { bytes: Buffer; size: number };

const newFile = (): DiskFile => ({
  synced: { bytes: Buffer.alloc(CONTENT_BYTES), size: 0 },
  pending: [],
  exists: "made",
});

function apply(content: Content, change: Change): void {
  const end = change.op === "truncate" ? change.size : change.offset + change.bytes.length;
  if (end > content.bytes.length) {
    const larger = Buffer.alloc(2 * end);
    content.bytes.copy(larger);
    content.bytes = larger;
  }
  if (change.op === "write") {
    change.bytes.copy(content.bytes, change.offset);
    content.size = Math.max(content.size, end);
  } else {
    content.bytes.fill(0, change.size, Math.max(change.size, content.size));
    content.size = change.size;
  }
}
