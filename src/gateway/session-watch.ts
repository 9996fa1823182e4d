/** Which sessions changed, for whoever shows a list of them: a burst of commits becomes one notice. */
import type { Committed } from "../engine/commit-feed.ts";
import type { FeedNotice } from "../http/feed.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { SessionsChanged, SessionSummary, SessionView } from "../protocol/methods.ts";
import type { Session } from "../protocol/session.ts";
import { SUB_AGENTS_SLICE, SubAgentsState } from "../agent/sub-agents/protocol/sub-agents.ts";
import { effectiveMode, type Modes } from "./methods/effective-mode.ts";
import type { ViewOf } from "./methods/session-view.ts";

/** Quick enough to look live, slow enough that a busy gateway does not flood a sidebar. */
const GATHER_MS = 100;
/** More than a list can show; the rest goes out in the next notice. */
const SESSIONS_PER_NOTICE_MAX = 200;
const MODES_MAX = 1_000;

export type SessionWatch = {
  changed(committed: Committed): void;
  isWatched(): boolean;
  listen(listener: (notice: FeedNotice) => void): () => void;
  /** Sends an event to all watchers at once. */
  announce(notice: FeedNotice): void;
};

type Parts = { view: ViewOf; engine: Modes; report(error: unknown): void };

export function createSessionWatch({ view, engine, report }: Parts): SessionWatch {
  const listeners = new Set<(notice: FeedNotice) => void>();
  const changed = new Map<SessionId, Session | undefined>();
  const modes = new Map<SessionId, string | null>(); // of those that changed while somebody watched
  let timer: NodeJS.Timeout | undefined;

  /** A session that enters or leaves a mode takes its children along. */
  async function childrenOf(session: Session): Promise<Session[]> {
    const mode = engine.mode(session);
    const before = modes.get(session.id);
    modes.delete(session.id);
    modes.set(session.id, mode);
    const oldest = modes.keys().next().value;
    if (modes.size > MODES_MAX && oldest !== undefined) modes.delete(oldest);
    if (before === mode) return [];
    const { data } = SubAgentsState.safeParse(session.slices[SUB_AGENTS_SLICE]);
    const running = (data?.children ?? []).filter(({ status }) => status === "running");
    const found = await Promise.all(running.map(({ id }) => engine.session(id)));
    return found.filter((child) => child !== undefined);
  }

  async function summaries(sessions: readonly Session[]): Promise<SessionSummary[]> {
    const along = (await Promise.all(sessions.map(childrenOf))).flat();
    const all = new Map([...along, ...sessions].map((session) => [session.id, session]));
    return Promise.all(
      [...all.values()].map(async (session) => summary(view(session), await effectiveMode(session, engine))),
    );
  }

  async function tell(): Promise<void> {
    timer = undefined;
    const batch = [...changed].slice(0, SESSIONS_PER_NOTICE_MAX);
    for (const [id] of batch) changed.delete(id);
    const payload: SessionsChanged = {
      sessions: await summaries(batch.flatMap(([, session]) => session ?? [])),
      deleted: batch.flatMap(([id, session]) => (session === undefined ? id : [])),
    };
    const notice = { event: "sessions.changed", payloadText: JSON.stringify(payload) };
    for (const listener of listeners) listener(notice);
    if (changed.size > 0) gather();
  }

  function gather(): void {
    timer ??= setTimeout(() => void tell().catch(report), GATHER_MS).unref();
  }

  return {
    changed({ sessionId, session }) {
      if (listeners.size === 0) return;
      changed.set(sessionId, session);
      gather();
    },
    isWatched: () => listeners.size > 0,
    announce(notice) {
      for (const listener of listeners) listener(notice);
    },
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) changed.clear();
      };
    },
  };
}

const summary = (view: SessionView, mode: string): SessionSummary => {
  const { id, agentId, kind, title, archived, createdAtMs, updatedAtMs, waiting, failed } = view;
  const listed = { id, agentId, kind, title, archived, createdAtMs, updatedAtMs, waiting, mode };
  return failed === undefined ? listed : { ...listed, failed };
};
