/**
 * Which tokens and log-ins were revoked, beside the store: a backup that is put in the store's place knows nothing of what
 * was revoked since, and must not bring it back. One line each, only ever added to.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { z } from "zod";
import { OperatorId } from "../../protocol/ids.ts";

export type RevocationList = {
  /** When each was revoked. */
  all(): ReadonlyMap<OperatorId, number>;
  /** On disk when it returns. */
  add(id: OperatorId, atMs: number): void;
};

const Line = z.strictObject({ id: OperatorId, atMs: z.int() });

/** Throws when it cannot be read: then it is unknown who must stay out. */
export function fileRevocations(file: string): RevocationList {
  const known = read(file);
  return {
    all: () => known,
    add(id, atMs) {
      if (known.has(id)) return;
      append(file, `${JSON.stringify({ id, atMs })}\n`);
      known.set(id, atMs);
    },
  };
}

export function memoryRevocations(): RevocationList {
  const known = new Map<OperatorId, number>();
  return { all: () => known, add: (id, atMs) => void (known.has(id) || known.set(id, atMs)) };
}

function append(file: string, line: string): void {
  const opened = openSync(file, "a", 0o600);
  try {
    writeSync(opened, line);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function read(file: string): Map<OperatorId, number> {
  const known = new Map<OperatorId, number>();
  if (!existsSync(file)) return known;
  const text = readFileSync(file, "utf8");
  const end = text.lastIndexOf("\n") + 1;
  if (end < text.length) truncateSync(file, Buffer.byteLength(text.slice(0, end))); // a line that a crash cut off was not acknowledged
  for (const [at, line] of text.slice(0, end).split("\n").entries()) {
    if (line === "") continue;
    const { data } = Line.safeParse(json(line));
    if (data === undefined)
      throw new Error(`${file}: line ${at + 1} cannot be read, so it is unknown whom it revokes.`);
    known.set(data.id, data.atMs);
  }
  return known;
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
