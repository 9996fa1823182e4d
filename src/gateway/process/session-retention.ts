/**
 * Deletes archived sessions that are older than they are kept: those of scheduled runs and heartbeats, which would grow
 * without end, and others only where that is configured. What waits for a person is never deleted.
 */
import type { Config } from "../../config/config.ts";
import type { Clock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Actor } from "../../protocol/actor.ts";
import type { Session } from "../../protocol/session.ts";
import { homeOf } from "../../scheduler/homes.ts";
import { jobsIn } from "../../scheduler/perform.ts";
import { encodeCursor } from "../../store/list/page.ts";
import type { Retention, SessionRow, Store } from "../../store/store.ts";

const DAY_MS = 86_400_000;
const PAGE = 100;
/** Looked at in one pass; the rest waits for the next one. */
const PAGES_MAX = 20;

/** Kinds of sessions that no person opened. */
const RUNS: ReadonlySet<string> = new Set<Session["kind"]>(["cron", "poller", "heartbeat", "hook"]);

const BY_RETENTION: Actor = { kind: "system", reason: "retention" };

export type RetentionParts = {
  store: Pick<Store, "sessions" | "prune">;
  engine: Pick<Engine, "dispatch" | "session">;
  clock: Pick<Clock, "now">;
  config(): Pick<Config, "retention">;
};

/** One pass: old sessions first, then what is left of deleted ones and everything else that may be forgotten. */
export async function removeOld(parts: RetentionParts): Promise<void> {
  const { retention } = parts.config();
  await deleteArchived(parts);
  const keep: Retention = retention.auditDays === undefined ? {} : { auditMs: retention.auditDays * DAY_MS };
  await parts.store.prune(parts.clock.now(), keep);
}

async function deleteArchived({ store, engine, clock, config }: RetentionParts): Promise<void> {
  const { runDays, archivedDays = Infinity } = config().retention;
  const nowMs = clock.now();
  const isOld = ({ kind, updatedAtMs, waiting }: SessionRow): boolean =>
    waiting === null && updatedAtMs < nowMs - (RUNS.has(kind) ? runDays : archivedDays) * DAY_MS;
  let cursor: string | null = olderThan(nowMs - Math.min(runDays, archivedDays) * DAY_MS);
  for (let page = 0; page < PAGES_MAX && cursor !== null; page++) {
    const { items, nextCursor } = await store.sessions({ archived: true }, { cursor, limit: PAGE });
    for (const { id } of items.filter(isOld)) {
      const session = await engine.session(id);
      if (session === undefined || isInUse(session)) continue;
      const outcome = await engine.dispatch(id, { type: "session.delete" }, { actor: BY_RETENTION });
      if (!outcome.ok && outcome.refusal.retry === true) return; // the store is away or full: the next pass goes on
    }
    cursor = nextCursor;
  }
}

/** Jobs live in sessions, some of them archived from the start; a timer or a turn means that something is yet to come. */
function isInUse(session: Session): boolean {
  const { id, agentId, turn, timers, inbox } = session;
  if (id === homeOf(agentId) || jobsIn(session).jobs.length > 0) return true;
  return turn.status !== "idle" || timers.length > 0 || inbox.length > 0;
}

/** The place in the list of sessions from which all are older. */
const olderThan = (atMs: number): string => encodeCursor([Math.max(0, Math.trunc(atMs)), ""]);
