/** Passes committed events to plugins: hooks, subscriptions, run contexts, and the cleanup of what has ended. */
import { pluginIdOf } from "../../protocol/plugin/plugin-state.ts";
import type { Session, SessionEvent } from "../../protocol/session.ts";
import type { CleanupReason } from "../api/extension.ts";
import type { HookRunner } from "../hooks/hook-runner.ts";
import type { Clock, SessionCommitted } from "../sessions.ts";
import type { AgentEventHub } from "./agent-events.ts";
import type { RunContexts } from "./run-context.ts";
import { publishedEvent } from "./published-events.ts";

export type WatchParts = {
  clock: Pick<Clock, "now">;
  hooks: HookRunner;
  hub: AgentEventHub;
  runs: RunContexts;
  /** True when no plugin observes anything. */
  isIdle(): boolean;
  cleanUp(reason: CleanupReason, sessionKey: string): void;
  /** A plugin's state in a session was changed. */
  touched(pluginId: string, sessionKey: string): void;
};

export function watchSessions(parts: WatchParts): (committed: SessionCommitted) => void {
  return (committed) => {
    if (parts.isIdle()) return;
    for (const { event } of committed.events) observe(event, committed, parts);
  };
}

function observe(event: SessionEvent, committed: SessionCommitted, parts: WatchParts): void {
  const { hooks, hub, runs } = parts;
  if (event.type === "turn.started" || event.type === "turn.taken-over") runs.began(event.turnId);
  const session = committed.session ?? committed.before;
  if (session !== undefined) tellHooks(event, session, hooks);
  if (hub.isHeard()) {
    const published = publishedEvent({ event, session, sessionId: committed.sessionId, atMs: parts.clock.now() });
    if (published !== undefined) hub.tell(published);
  }
  const owner = event.type === "slice.changed" ? pluginIdOf(event.slice) : undefined;
  if (owner !== undefined) parts.touched(owner, committed.sessionId);
  if (event.type === "turn.finished") runs.ended(event.turnId);
  if (event.type === "session.reset") parts.cleanUp("reset", committed.sessionId);
  if (event.type === "session.deleted") parts.cleanUp("delete", committed.sessionId);
}

/** These hooks only observe: nobody waits for their answers. */
function tellHooks(event: SessionEvent, session: Session, hooks: HookRunner): void {
  const at = { sessionKey: session.id, agentId: session.agentId, sessionKind: session.kind };
  switch (event.type) {
    case "message.queued": {
      const { id, from, text } = event.message;
      if (hooks.has("message_received")) void hooks.run("message_received", { ...at, messageId: id, from, text });
      return;
    }
    case "entry.appended":
      if (event.entry.kind === "assistant" && hooks.has("message_sent"))
        void hooks.run("message_sent", { ...at, runId: event.entry.turnId, text: event.entry.text });
      return;
    case "session.created":
      if (hooks.has("session_start")) void hooks.run("session_start", { ...at, surface: session.surface });
      return;
    case "session.reset":
    case "session.deleted": {
      const reason = event.type === "session.reset" ? "reset" : "delete";
      if (hooks.has("session_end")) void hooks.run("session_end", { ...at, reason });
      return;
    }
    default:
  }
}
