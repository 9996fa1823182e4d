import { expect, it } from "vitest";
import { Config } from "../../config/config.ts";
import type { Session } from "../../protocol/session.ts";
import { homeOf } from "../../scheduler/homes.ts";
import { aSession, commitAll, create, sid, START_MS } from "../../store/contract/harness.ts";
import { emptyMemory, openMemoryStore } from "../../store/memory/memory-store.ts";
import { removeOld } from "./session-retention.ts";

const DAY_MS = 86_400_000;

async function world(retention: object, sessions: Session[]) {
  const store = openMemoryStore(emptyMemory());
  await commitAll(
    store,
    sessions.map((session) => ({ ...create(session.id), session })),
  );
  const deleted: string[] = [];
  const engine = {
    session: async (id: Session["id"]) => (await store.session(id))?.session,
    async dispatch(id: Session["id"]) {
      deleted.push(id);
      return { ok: true, reply: null, session: undefined } as const;
    },
  };
  const config = Config.parse({ retention });
  const clock = { now: () => START_MS + 100 * DAY_MS };
  await removeOld({ store, engine, clock, config: () => config });
  return deleted.toSorted();
}

const archived = (name: string, change: Partial<Session>): Session =>
  aSession(sid(name), { archived: true, kind: "cron", ...change });
const ageDays = (days: number) => ({ updatedAtMs: START_MS + (100 - days) * DAY_MS });
const timer = { key: "due", atMs: START_MS, slice: "planMode", command: {} };

const SESSIONS = [
  archived("old_run", ageDays(91)),
  archived("young_run", ageDays(89)),
  archived("old_chat", { kind: "chat", ...ageDays(99) }),
  archived("busy", { turn: { status: "requested" } as never, ...ageDays(99) }),
  archived("timed", { timers: [timer], ...ageDays(99) }),
  { ...archived("home", ageDays(99)), id: homeOf("main") },
  aSession(sid("open"), { kind: "cron", ...ageDays(99) }),
];

it("[SC-04] archived sessions of runs are deleted in time, those of people only where that is configured", async () => {
  expect(await world({}, SESSIONS)).toEqual(["ses_old_run"]);
  expect(await world({ archivedDays: 95, runDays: 80 }, SESSIONS)).toEqual([
    "ses_old_chat",
    "ses_old_run",
    "ses_young_run",
  ]);
});
