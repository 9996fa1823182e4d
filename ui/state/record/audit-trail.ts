/** The audit chain over all sessions, newest first: the newest page to begin with, older ones on demand, new rows live. */
import type { AuditRow } from "../../../src/protocol/audit.ts";
import type { Following } from "../calling.ts";
import { type Cell, cell, type Readable } from "../cell.ts";

export type AuditTrail = {
  status: "loading" | "ready" | "failed";
  /** Newest first. */
  rows: readonly AuditRow[];
  hasOlder: boolean;
};

export type AuditTrailState = Readable<AuditTrail> & {
  older(): Promise<void>;
  /** Looks for new rows; one look at a time. */
  look(): Promise<void>;
  close(): void;
};

const PAGE = 50;
/** What happens outside of sessions is announced by nobody, so it is looked for. */
const LOOK_EVERY_MS = 10_000;
/** So many new pages at once are not read one by one: the newest is enough, older ones come on demand. */
const CATCH_UP_PAGES_MAX = 4;

export function createAuditTrail({ call, on }: Pick<Following, "call" | "on">): AuditTrailState {
  const state: Cell<AuditTrail> = cell<AuditTrail>({ status: "loading", rows: [], hasOlder: false });
  let looking: Promise<void> | undefined;

  async function newest(): Promise<void> {
    const { rows } = await call("audit.list", { before: null, limit: PAGE });
    state.set({ status: "ready", rows: rows.toReversed(), hasOlder: (rows[0]?.seq ?? 1) > 1 });
  }

  async function catchUp(): Promise<void> {
    for (let pages = 0; pages < CATCH_UP_PAGES_MAX; pages += 1) {
      const afterSeq = state.get().rows[0]?.seq;
      if (afterSeq === undefined) return newest();
      const { rows } = await call("audit.list", { afterSeq, limit: PAGE });
      if (rows.length > 0) state.change((now) => withNewer(now, rows));
      if (rows.length < PAGE) return;
    }
    await newest();
  }

  function look(): Promise<void> {
    looking ??= catchUp()
      .catch(() => state.change((now) => (now.status === "loading" ? { ...now, status: "failed" } : now)))
      .finally(() => (looking = undefined));
    return looking;
  }

  const stop = on("sessions.changed", () => void look());
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  void look();

  return {
    get: state.get,
    subscribe: state.subscribe,
    look,
    async older() {
      const before = state.get().rows.at(-1)?.seq;
      if (before === undefined || before <= 1) return;
      const { rows } = await call("audit.list", { before, limit: PAGE });
      state.change((now) =>
        now.rows.at(-1)?.seq === before
          ? { ...now, rows: [...now.rows, ...rows.toReversed()], hasOlder: (rows[0]?.seq ?? 1) > 1 }
          : now,
      );
    },
    close() {
      stop();
      clearInterval(timer);
    },
  };
}

function withNewer(now: AuditTrail, rows: readonly AuditRow[]): AuditTrail {
  const last = now.rows[0]?.seq ?? 0;
  return { ...now, rows: [...rows.filter(({ seq }) => seq > last).toReversed(), ...now.rows] };
}
