/** What happened in one session, oldest first: the newest page to begin with, older ones on demand, new facts live. */
import type { HoldpointEvent } from "../../../src/client/events.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { ResultOf } from "../../../src/all-methods.ts";
import type { Following } from "../calling.ts";
import { type Cell, cell, type Readable } from "../cell.ts";
import type { Connection } from "../connection.ts";

export type Happening = ResultOf<"sessions.timeline">["items"][number];

export type Timeline = {
  status: "loading" | "ready" | "failed";
  items: readonly Happening[];
  /** Where the page before these ends; null when there is none. */
  before: number | null;
};

export type TimelineState = Readable<Timeline> & {
  earlier(): Promise<void>;
  close(): void;
};

const PAGE = 100;
const KEPT_MAX = 5_000;

/** Steps on the way to something that is told anyway; pages of the gateway leave them out as well. */
const SKIPPED: ReadonlySet<string> = new Set(["turn.requested", "turn.ending", "turn.said"]);

export type TimelineParts = Pick<Following, "call" | "on"> & { connection: Readable<Connection> };

export function createTimeline({ call, on, connection }: TimelineParts, sessionId: SessionId): TimelineState {
  const state: Cell<Timeline> = cell<Timeline>({ status: "loading", items: [], before: null });
  let isClosed = false;
  let wasOnline = connection.get().status === "online";

  async function newest(): Promise<void> {
    try {
      const page = await call("sessions.timeline", { sessionId, limit: PAGE });
      if (!isClosed) state.change((now) => withNewest(now, page));
    } catch {
      state.change((now) => (now.status === "loading" ? { ...now, status: "failed" } : now)); // reconnecting reads again
    }
  }

  const stops = [
    on("*", (event: HoldpointEvent) => {
      const item = happeningOf(event, sessionId);
      if (item !== undefined) state.change((now) => withLive(now, item));
    }),
    connection.subscribe(() => {
      const isOnline = connection.get().status === "online";
      if (isOnline && !wasOnline) void newest();
      wasOnline = isOnline;
    }),
  ];
  void newest();

  return {
    get: state.get,
    subscribe: state.subscribe,
    async earlier() {
      const { before } = state.get();
      if (before === null) return;
      const page = await call("sessions.timeline", { sessionId, before, limit: PAGE });
      state.change((now) =>
        now.before === before ? { ...now, items: [...page.items, ...now.items], before: page.before } : now,
      );
    },
    close() {
      isClosed = true;
      for (const stop of stops) stop();
    },
  };
}

/** Older items stay where the page reaches them; with a gap between, the page is all that is known. */
function withNewest(now: Timeline, { items, before }: Pick<Timeline, "items" | "before">): Timeline {
  const first = items[0]?.cursor ?? Number.MAX_SAFE_INTEGER;
  const last = now.items.at(-1)?.cursor ?? 0;
  if (now.status === "ready" && first > last) return { status: "ready", items, before };
  const older = now.items.filter(({ cursor }) => cursor < first);
  const newer = now.items.filter(({ cursor }) => cursor > (items.at(-1)?.cursor ?? 0));
  return { status: "ready", items: [...older, ...items, ...newer], before: older.length > 0 ? now.before : before };
}

function withLive(now: Timeline, item: Happening): Timeline {
  if (item.cursor <= (now.items.at(-1)?.cursor ?? 0)) return now;
  const items = [...now.items, item];
  if (items.length <= KEPT_MAX) return { ...now, items };
  const kept = items.slice(-KEPT_MAX);
  return { ...now, items: kept, before: kept[0]?.cursor ?? now.before };
}

function happeningOf({ event, cursor, payload }: HoldpointEvent, sessionId: SessionId): Happening | undefined {
  if (cursor === undefined || SKIPPED.has(event) || payload["sessionId"] !== sessionId) return undefined;
  const entry = payload["entry"];
  if (isRecord(entry) && entry["kind"] === "result") return undefined;
  const atMs = payload["atMs"];
  return { cursor, atMs: typeof atMs === "number" ? atMs : Date.now(), event, payload };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
