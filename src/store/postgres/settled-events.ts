/**
 * Reading events in order while many connections write. A cursor is handed out before its commit is visible, so a reader
 * may see 11 before 10; whoever goes on from 11 would never see 10. So nothing is handed on above a hole that may still
 * be filled. A hole is settled when every transaction that was under way when it was seen has ended: a transaction has
 * its number before it takes a cursor, because it writes the session first.
 */
import { sql } from "../sql/statement.ts";
import type { Query, SqlReads } from "../sql/queries.ts";
import type { StoredEvent } from "../store.ts";
import { SERVING } from "./connections.ts";

const LOOK_AGAIN_MS = 5;
/** No statement of a gateway lives longer than half of this; an older transaction is somebody else's and takes no cursor. */
const LOOKS_MAX = (2 * SERVING.statementMsMax) / LOOK_AGAIN_MS;

export function settledReads(query: Query, reads: SqlReads): Pick<SqlReads, "events" | "lastCursor"> {
  const horizon = async (): Promise<{ oldest: bigint; next: bigint }> => {
    const [row] = await query<{ oldest: string; next: string }>(
      sql`SELECT pg_snapshot_xmin(now)::text AS oldest, pg_snapshot_xmax(now)::text AS next FROM pg_current_snapshot() now`,
    );
    return { oldest: BigInt(row?.oldest ?? 0), next: BigInt(row?.next ?? 0) };
  };

  async function settled(): Promise<void> {
    const { next } = await horizon();
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      if ((await horizon()).oldest >= next) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  return {
    async events(after) {
      const seen = await reads.events(after);
      const last = seen.at(-1);
      // one session's commits follow each other, so its own events never become visible out of order
      if (after.sessionId !== undefined || last === undefined || hasNoHole(seen, after.cursor)) return seen;
      await settled();
      return (await reads.events(after)).filter(({ cursor }) => cursor <= last.cursor);
    },
    async lastCursor() {
      const last = await reads.lastCursor();
      await settled();
      return last;
    },
  };
}

const hasNoHole = (events: StoredEvent[], after: number): boolean =>
  events.every(({ cursor }, index) => cursor === after + index + 1);
