/** Reads of sessions that are asked for in the same tick are one statement; each is as fresh as if it had been asked alone. */
import type { DamageLog } from "../damage-log.ts";
import { type SessionDocument, storedSession } from "../sql/queries.ts";
import type { Store, StoredSession } from "../store.ts";
import type { Asked, Rows } from "./connections.ts";

/** Documents may be large, and whoever was first waits for all of them. */
const TOGETHER_MAX = 64;

type Waiter = { id: string; resolve(row: Rows[number] | undefined): void; reject(error: unknown): void };

export function sessionReads(ask: (asked: Asked) => Promise<Rows>, damage: DamageLog): Pick<Store, "session"> {
  let waiting: Waiter[] = [];

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += TOGETHER_MAX) void read(all.slice(from, from + TOGETHER_MAX));
  }

  async function read(waiters: readonly Waiter[]): Promise<void> {
    try {
      const rows = await ask({ name: "hp:sessions", text: TEXT, values: [waiters.map(({ id }) => id)] });
      const found = new Map(rows.map((row) => [row["id"], row]));
      for (const { id, resolve } of waiters) resolve(found.get(id));
    } catch (error) {
      for (const { reject } of waiters) reject(error);
    }
  }

  return {
    async session(id): Promise<StoredSession | undefined> {
      if (waiting.length === 0) setImmediate(flush); // never a statement that is already under way: it may have read before
      const row = await new Promise<Rows[number] | undefined>((resolve, reject) => {
        waiting.push({ id, resolve, reject });
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement names these columns
      return row === undefined ? undefined : storedSession(id, row as SessionDocument, damage);
    },
  };
}

const TEXT = "SELECT id, version, doc, checksum FROM sessions WHERE id = ANY ($1::text[])";
