/**
 * What was revoked, beside the store: a backup that is put in the store's place knows nothing of what was revoked since,
 * and must not bring it back. One line each, only ever added to.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { OperatorId } from "../../protocol/ids.ts";

export type RevocationList = {
  /** When each token or log-in was revoked. */
  all(): ReadonlyMap<OperatorId, number>;
  /** On disk when it returns. */
  add(id: OperatorId, atMs: number): void;
  /** When this passkey, or this account of a channel, was revoked last; undefined where it never was. */
  revokedAtMs(what: Named): number | undefined;
  /** On disk when it returns. One that was given again can be revoked again. */
  note(what: Named, atMs: number): void;
  /** When the store was last exchanged for a backup; 0 where it never was. */
  restoredAtMs(): number;
  /** On disk when it returns. */
  noteRestored(atMs: number): void;
};

type Named = { passkey: string } | { account: string };

const at = { atMs: z.int() };
const Line = z.union([
  z.strictObject({ id: OperatorId, ...at }),
  z.strictObject({ passkey: z.string(), ...at }),
  z.strictObject({ account: z.string(), ...at }),
  z.strictObject({ restored: z.literal(true), ...at }),
]);
type Line = z.infer<typeof Line>;

export const revocationsFile = (home: string): string => join(home, "revoked.jsonl");

/** Throws when it cannot be read: then it is unknown who must stay out. */
export const fileRevocations = (file: string): RevocationList => listOf(read(file), (line) => append(file, line));

export const memoryRevocations = (): RevocationList => listOf([], () => undefined);

function listOf(lines: readonly Line[], keep: (line: string) => void): RevocationList {
  const known = new Map<OperatorId, number>();
  const named = new Map<string, number>();
  let restored = 0;
  function learn(line: Line): void {
    if ("id" in line) known.set(line.id, line.atMs);
    else if ("restored" in line) restored = line.atMs;
    else named.set(nameOf(line), line.atMs);
  }
  function write(line: Line): void {
    keep(`${JSON.stringify(line)}\n`);
    learn(line);
  }
  for (const line of lines) learn(line);
  return {
    all: () => known,
    add: (id, atMs) => void (known.has(id) || write({ id, atMs })),
    revokedAtMs: (what) => named.get(nameOf(what)),
    note: (what, atMs) => write({ ...what, atMs }),
    restoredAtMs: () => restored,
    noteRestored: (atMs) => write({ restored: true, atMs }),
  };
}

const nameOf = (what: Named): string => ("passkey" in what ? `passkey ${what.passkey}` : `account ${what.account}`);

function append(file: string, line: string): void {
  const opened = openSync(file, "a", 0o600);
  try {
    writeSync(opened, line);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function read(file: string): Line[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  const end = text.lastIndexOf("\n") + 1;
  if (end < text.length) truncateSync(file, Buffer.byteLength(text.slice(0, end))); // a line that a crash cut off was not acknowledged
  return [...text.slice(0, end).split("\n").entries()].flatMap(([index, line]) => {
    if (line === "") return [];
    const { data } = Line.safeParse(json(line));
    if (data === undefined)
      throw new Error(`${file}: line ${index + 1} cannot be read, so it is unknown whom it revokes.`);
    return [data];
  });
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
