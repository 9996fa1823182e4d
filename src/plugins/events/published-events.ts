/** Committed events in the form that plugins receive: under public names, without texts unless the plugin may read them. */
import type { Json, JsonObject } from "../../protocol/json.ts";
import { pluginIdOf } from "../../protocol/plugin/plugin-state.ts";
import type { Session, SessionEvent } from "../../protocol/session.ts";
import type { Entry } from "../../protocol/transcript-entry.ts";
import type { PublishedEvent } from "./agent-events.ts";

const DATA_CHARS_MAX = 16_384;

export type CommittedEvent = { session: Session | undefined; sessionId: string; event: SessionEvent; atMs: number };

/** Undefined for internal events of the engine, and for other plugins' state. */
export function publishedEvent({ session, sessionId, event, atMs }: CommittedEvent): PublishedEvent | undefined {
  const fact = factOf(event);
  if (fact === undefined) return undefined;
  const running = session?.turn.status === "running" ? session.turn.turnId : undefined;
  const runId = "turnId" in event ? event.turnId : running;
  const at = { sessionKey: sessionId, atMs, ...(runId === undefined ? {} : { runId }) };
  return { ...fact, data: bounded(fact.data), ...at };
}

type Fact = Pick<PublishedEvent, "type" | "data" | "guarded">;

function factOf(event: SessionEvent): Fact | undefined {
  switch (event.type) {
    case "session.created":
      return { type: event.type, data: { kind: event.session.kind, surface: event.session.surface } };
    case "session.renamed":
    case "session.archived":
    case "session.reset":
    case "session.deleted":
      return { type: event.type, data: {} };
    case "turn.requested":
    case "turn.started":
      return { type: event.type, data: { turnId: event.turnId } };
    case "turn.finished":
      return { type: event.type, data: { turnId: event.turnId, outcome: event.outcome } };
    case "call.claimed":
      return { type: "tool.started", data: { callId: event.callId, tool: event.tool } };
    case "call.closed":
      return { type: "tool.finished", data: { callId: event.callId, tool: event.tool, status: event.status } };
    case "call.refused":
      return refusedFact(event);
    case "message.queued":
      return {
        type: "message.received",
        data: { messageId: event.message.id, from: event.message.from },
        guarded: { "message-text": { text: event.message.text } },
      };
    case "entry.appended":
      return entryFact(event.entry);
    case "slice.changed":
      return sliceFact(event);
    default:
      return undefined;
  }
}

function refusedFact({ callId, refusal }: Extract<SessionEvent, { type: "call.refused" }>): Fact {
  return {
    type: "tool.refused",
    data: { callId, tool: refusal.tool_name, kind: refusal.tool_kind, rule: refusal.rule },
  };
}

function entryFact(entry: Entry): Fact | undefined {
  if (entry.kind !== "assistant") return undefined;
  const { model, costUsd, inputTokens, outputTokens } = entry.usage ?? {};
  const used = entry.usage === undefined ? {} : { usage: { model, costUsd, inputTokens, outputTokens } };
  const calls = entry.calls.map(({ callId, tool }) => ({ callId, tool }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- numbers and texts of a parsed entry
  const data = { turnId: entry.turnId, calls, ...used } as JsonObject;
  return { type: "message.sent", data, guarded: { "message-text": { text: entry.text } } };
}

/** Plan mode's events are public; a plugin's own slice is private. */
function sliceFact({ slice, event }: Extract<SessionEvent, { type: "slice.changed" }>): Fact | undefined {
  if (pluginIdOf(slice) !== undefined) return undefined;
  const { type, ...data } = event;
  return { type, data: {}, guarded: { "message-text": { fact: data } } };
}

const bounded = (data: Json): Json => (JSON.stringify(data).length <= DATA_CHARS_MAX ? data : {});
