/**
 * What happened to a workspace while one plan was carried out, line by line in one file that only grows. A line counts once it
 * is written to its end: what a killed process left behind it is cut off.
 *
 *   base? · begin (before a call: what others changed) ─▶ end (after it: what it changed) · … · rollback ─▶ restored
 */
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";
import { Delta, Entry } from "./entry.ts";

const JOURNAL_BYTES_MAX = 128 * 1_048_576;

/** The step that was in progress; absent: none was. */
export const StepRef = z.strictObject({ index: z.int().positive(), text: z.string() });
export type StepRef = z.infer<typeof StepRef>;

const Skipped = z.strictObject({ path: z.string(), why: z.string() });

export const JournalLine = z.discriminatedUnion("line", [
  /** All files were looked at for the first time. */
  z.strictObject({
    line: z.literal("base"),
    atMs: z.number(),
    files: z.int(),
    isCut: z.boolean(),
    skipped: z.array(Skipped),
    skippedCount: z.int(),
    /** How many files stand in packs of the repository, and so were not copied. */
    inGit: z.int(),
  }),
  z.strictObject({
    line: z.literal("begin"),
    n: z.int(),
    callId: z.string(),
    tool: z.string(),
    command: z.string().exactOptional(),
    step: StepRef.exactOptional(),
    atMs: z.number(),
    /** The files that it can change; absent: any. */
    targets: z.array(z.string()).exactOptional(),
    /** Files that were looked at for the first time. */
    seen: z.array(z.tuple([z.string(), Entry])),
    /** What others had changed since the last look. */
    outside: z.array(Delta),
    /** Folders that stood there without a file in them: a rollback leaves them. */
    stood: z.array(z.string()).exactOptional(),
    /** What could not be looked at for the first time. */
    gaps: z.array(Skipped).exactOptional(),
  }),
  z.strictObject({
    line: z.literal("end"),
    n: z.int(),
    atMs: z.number(),
    status: z.string(),
    exitCode: z.int().nullable().exactOptional(),
    changed: z.array(Delta),
    gaps: z.array(Skipped).exactOptional(),
  }),
  z.strictObject({
    line: z.literal("rollback"),
    rollbackId: z.string(),
    step: z.int().nullable(),
    by: z.string(),
    atMs: z.number(),
    /** Each file as it stands and as it stood: what a retry after a kill goes by. */
    files: z.array(Delta),
  }),
  z.strictObject({
    line: z.literal("restored"),
    rollbackId: z.string(),
    atMs: z.number(),
    changed: z.array(Delta),
    left: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  }),
]);
export type JournalLine = z.infer<typeof JournalLine>;

export type Journal = {
  readonly lines: readonly JournalLine[];
  /** On the disk when it returns. */
  add(line: JournalLine): void;
  close(): void;
};

/** A journal that another version or another hand wrote is not read: better none than a wrong one. */
class JournalUnreadable extends Error {}

class JournalFull extends Error {}

type WriteBytes = (fd: number, bytes: Buffer, at: number) => number;

export function openJournal(path: string, writeBytes: WriteBytes = writeSync): Journal {
  const fd = openSync(path, "a+", 0o600);
  const lines: JournalLine[] = [];
  const text = readFileSync(path);
  const end = text.lastIndexOf(0x0a) + 1;
  if (end < text.length) ftruncateSync(fd, end);
  for (const line of text.toString("utf8", 0, end).split("\n")) {
    if (line === "") continue;
    const parsed = JournalLine.safeParse(parsedJson(line));
    if (!parsed.success) throw new JournalUnreadable("its record cannot be read");
    lines.push(parsed.data);
  }
  return {
    lines,
    add(line) {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      const { size } = fstatSync(fd);
      if (size + bytes.length > JOURNAL_BYTES_MAX) throw new JournalFull("its record is full");
      try {
        for (let at = 0; at < bytes.length;) at += writeBytes(fd, bytes, at);
      } catch (error) {
        ftruncateSync(fd, size); // half a line would make the next one unreadable
        throw error;
      }
      fdatasyncSync(fd);
      lines.push(line);
    },
    close: () => closeSync(fd),
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
