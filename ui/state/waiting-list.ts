/** Everything that waits for a person, over all sessions: what is due first stands first. */
import type { SessionsChanged, SessionSummary } from "../../src/protocol/methods.ts";
import type { Calling } from "./calling.ts";
import { type Cell, cell, type Readable } from "./cell.ts";

const PAGE = 200;
const WAITING_MAX = 1_000;

export type WaitingSession = SessionSummary & { waiting: NonNullable<SessionSummary["waiting"]> };

export type WaitingListState = Readable<readonly WaitingSession[]> & {
  /** Whether it was read at all: before that it is empty because nobody asked. */
  isRead(): boolean;
  reload(): Promise<void>;
  heard(changed: SessionsChanged): void;
};

export function createWaitingList({ call }: Calling): WaitingListState {
  const state: Cell<readonly WaitingSession[]> = cell([]);
  let isRead = false;
  return {
    isRead: () => isRead,
    get: state.get,
    subscribe: state.subscribe,
    async reload() {
      const found: WaitingSession[] = [];
      let cursor: string | null = null;
      do {
        const page: { sessions: SessionSummary[]; nextCursor: string | null } = await call("sessions.list", {
          waiting: true,
          limit: PAGE,
          cursor,
        });
        found.push(...page.sessions.filter(isWaiting));
        cursor = page.nextCursor;
      } while (cursor !== null && found.length < WAITING_MAX);
      isRead = true;
      state.set(found.toSorted(byDeadline));
    },
    heard(changed) {
      const next = waitingAfter(state.get(), changed);
      if (next !== undefined) state.set(next);
    },
  };
}

/** Undefined when nothing that waits has changed: most notices are about sessions at work. */
function waitingAfter(
  before: readonly WaitingSession[],
  { sessions, deleted }: SessionsChanged,
): WaitingSession[] | undefined {
  const gone = new Set<string>([...deleted, ...sessions.map(({ id }) => id)]);
  const arrived = sessions.filter((session) => !session.archived).filter(isWaiting);
  if (arrived.length === 0 && !before.some(({ id }) => gone.has(id))) return undefined;
  return [...before.filter(({ id }) => !gone.has(id)), ...arrived].toSorted(byDeadline).slice(0, WAITING_MAX);
}

const isWaiting = (session: SessionSummary): session is WaitingSession => session.waiting !== null;

function byDeadline(a: WaitingSession, b: WaitingSession): number {
  const due = ({ waiting }: WaitingSession): number => waiting.deadlineMs ?? Number.MAX_SAFE_INTEGER;
  return due(a) - due(b) || a.waiting.sinceMs - b.waiting.sinceMs;
}
