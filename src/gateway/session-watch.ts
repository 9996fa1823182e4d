/** Which sessions changed, for whoever shows a list of them: a burst of commits becomes one notice. */
import type { Committed } from "../engine/commit-feed.ts";
import type { FeedNotice } from "../http/feed.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { SessionsChanged, SessionSummary, SessionView } from "../protocol/methods.ts";
import type { Session } from "../protocol/session.ts";
import { NORMAL_MODE, type ViewOf } from "./methods/session-view.ts";

/** Quick enough to look live, slow enough that a busy gateway does not flood a sidebar. */
const GATHER_MS = 100;
/** More than a list can show; the rest goes out in the next notice. */
const SESSIONS_PER_NOTICE_MAX = 200;

export type SessionWatch = {
  changed(committed: Committed): void;
  isWatched(): boolean;
  listen(listener: (notice: FeedNotice) => void): () => void;
  /** Sends an event to all watchers at once. */
  announce(notice: FeedNotice): void;
};

export function createSessionWatch(view: ViewOf): SessionWatch {
  const listeners = new Set<(notice: FeedNotice) => void>();
  const changed = new Map<SessionId, Session | undefined>();
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    timer = undefined;
    const batch = [...changed].slice(0, SESSIONS_PER_NOTICE_MAX);
    for (const [id] of batch) changed.delete(id);
    const payload: SessionsChanged = {
      sessions: batch.flatMap(([, session]) => (session === undefined ? [] : summary(view(session)))),
      deleted: batch.flatMap(([id, session]) => (session === undefined ? id : [])),
    };
    const notice = { event: "sessions.changed", payloadText: JSON.stringify(payload) };
    for (const listener of listeners) listener(notice);
    if (changed.size > 0) gather();
  }

  function gather(): void {
    timer ??= setTimeout(tell, GATHER_MS).unref();
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

const summary = (view: SessionView): SessionSummary => {
  const { id, agentId, kind, title, archived, createdAtMs, updatedAtMs, waiting, mode = NORMAL_MODE } = view;
  return { id, agentId, kind, title, archived, createdAtMs, updatedAtMs, waiting, mode };
};
