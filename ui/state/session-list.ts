/** The sessions of the sidebar, last changed first: a page at a time from the gateway, then kept true by its notices. */
import type { SessionsChanged, SessionSummary } from "../../src/protocol/methods.ts";
import type { Calling } from "./calling.ts";
import { type Cell, cell, type Readable } from "./cell.ts";

const PAGE = 50;
/** Beyond this a person searches; the list stops growing. */
const LISTED_MAX = 2_000;

export type ListFilter = { search: string; archived: boolean };

export type SessionList = {
  status: "loading" | "ready";
  filter: ListFilter;
  sessions: readonly SessionSummary[];
  nextCursor: string | null;
};

export type SessionListState = Readable<SessionList> & {
  /** Reads the first page anew, as after a reconnect. */
  reload(): Promise<void>;
  more(): Promise<void>;
  filter(filter: Partial<ListFilter>): Promise<void>;
  heard(changed: SessionsChanged): void;
};

const EMPTY: SessionList = {
  status: "loading",
  filter: { search: "", archived: false },
  sessions: [],
  nextCursor: null,
};

export function createSessionList({ call }: Calling): SessionListState {
  const state: Cell<SessionList> = cell(EMPTY);
  let asked = 0; // of two answers the one to the later question counts

  async function page(cursor: string | null): Promise<void> {
    asked += 1;
    const mine = asked;
    const { filter } = state.get();
    const { archived, search } = filter;
    const answer = await call("sessions.list", { cursor, limit: PAGE, archived, ...(search === "" ? {} : { search }) });
    if (mine !== asked) return;
    state.change((list) => ({
      ...list,
      status: "ready",
      sessions: cursor === null ? answer.sessions : merged(list.sessions, answer.sessions),
      nextCursor: answer.nextCursor,
    }));
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    reload: () => page(null),
    async more() {
      const { nextCursor, sessions } = state.get();
      if (nextCursor !== null && sessions.length < LISTED_MAX) await page(nextCursor);
    },
    async filter(change) {
      state.change((list) => ({ ...list, filter: { ...list.filter, ...change } }));
      await page(null);
    },
    heard(changed) {
      const { filter, status } = state.get();
      if (status === "loading") return;
      if (filter.search === "") return state.change((list) => ({ ...list, sessions: after(list, changed) }));
      void page(null).catch(() => undefined); // only the gateway knows what matches; a lost connection reloads anyway
    },
  };
}

/** How the list looks after a notice. What lies beyond the pages read so far stays beyond. */
function after({ sessions, filter, nextCursor }: SessionList, changed: SessionsChanged): SessionSummary[] {
  const gone = new Set<string>(changed.deleted);
  for (const { id } of changed.sessions) gone.add(id);
  const kept = sessions.filter(({ id }) => !gone.has(id));
  const oldest = nextCursor === null ? 0 : (sessions.at(-1)?.updatedAtMs ?? 0);
  const fitting = changed.sessions.filter(
    ({ archived, updatedAtMs }) => archived === filter.archived && updatedAtMs >= oldest,
  );
  return merged(kept, fitting);
}

function merged(sessions: readonly SessionSummary[], more: readonly SessionSummary[]): SessionSummary[] {
  const byId = new Map([...sessions, ...more].map((session) => [session.id, session]));
  return [...byId.values()].toSorted((a, b) => b.updatedAtMs - a.updatedAtMs).slice(0, LISTED_MAX);
}
