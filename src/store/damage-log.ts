/** What was found damaged: the error that refuses what rests on it, and the list for health and the doctor. */
import { RefusalError } from "../protocol/refusal.ts";
import { type Checked, rowChecksum } from "./row-checksum.ts";
import type { StoreHealth } from "./store.ts";

/** Rows that are named in health and by the doctor; of more than these only the number is kept. */
const NAMED_MAX = 20;

/** A row or a page cannot be believed. Nothing that rests on it is answered or decided. */
export class DamageError extends RefusalError {
  override name = "DamageError";
  constructor(what: string, cause?: unknown) {
    super(
      {
        code: "STORE_DAMAGED",
        message: `${what} was damaged or altered in the store, so it is not used. Look at it with: holdpoint doctor; to restore a backup see the runbook.`,
      },
      { cause },
    );
  }
}

/** What was found damaged since the start, for health and the doctor. */
export type DamageLog = {
  /** Remembers it, and answers with the error to throw. */
  found(what: string, cause?: unknown): DamageError;
  /** Throws where the stored checksum is another than that of the columns. */
  check(row: StoredRow): void;
  /** As `check`, for lists that must go on: false where the row is damaged. */
  isSound(row: StoredRow): boolean;
  /** Health with what was found. A damaged row refuses what rests on it and nothing else, so the store stays ready. */
  in(health: StoreHealth): StoreHealth;
};

export type StoredRow = { table: string; name: string; checksum: number | null; columns: readonly Checked[] };

export function createDamageLog(): DamageLog {
  const named = new Set<string>();
  let more = 0;

  function note(what: string): void {
    if (named.has(what)) return;
    if (named.size < NAMED_MAX) named.add(what);
    else more += 1;
  }

  function found(what: string, cause?: unknown): DamageError {
    note(what);
    return new DamageError(what, cause);
  }

  return {
    found,
    check(row) {
      if (!isSame(row)) throw found(nameOf(row));
    },
    isSound(row) {
      if (isSame(row)) return true;
      note(nameOf(row));
      return false;
    },
    in(health) {
      if (named.size === 0) return health;
      const rest = more === 0 ? "" : ` and ${more} more`;
      return { ...health, damage: `Damaged or altered: ${[...named].join(", ")}${rest}.` };
    },
  };
}

const isSame = ({ table, checksum, columns }: StoredRow): boolean =>
  checksum === null || checksum === rowChecksum(table, columns);
const nameOf = ({ table, name }: StoredRow): string => `${table} ${name}`;
