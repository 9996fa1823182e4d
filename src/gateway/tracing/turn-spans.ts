/**
 * Commits as spans: a trace for each turn, in it each answer of the model and each call; a trace of its own for each time
 * that a plan waited for a person, however many restarts that took. Names follow OpenTelemetry's conventions for agents.
 * Names, ids and counts only: no text of a person, a plan or a tool leaves the gateway this way.
 */
import type { Committed } from "../../engine/commit-feed.ts";
import type { Engine } from "../../engine/engine.ts";
import { PlanModeState } from "../../plan-mode/protocol/state.ts";
import type { Session, SessionEvent } from "../../protocol/session.ts";
import type { CallStatus, Usage } from "../../protocol/transcript-entry.ts";

const SLICE = "planMode";

export type SpanAttributes = Record<string, string | number>;
export type SpanStart = { name: string; kind: "internal" | "client"; atMs: number; attributes: SpanAttributes };
export type OpenSpan = {
  child(start: SpanStart): OpenSpan;
  end(end: { atMs: number; attributes?: SpanAttributes; error?: string }): void;
};
export type Spans = { root(start: SpanStart): OpenSpan };

/** One turn under way. `askedAtMs`: since when its model has been answering. */
type OpenTurn = { span: OpenSpan; askedAtMs: number; calls: Map<string, OpenSpan> };

export function followTurns(engine: Pick<Engine, "onCommitted">, spans: Spans): () => void {
  const turns = new Map<string, OpenTurn>(); // one for each session whose turn runs here
  return engine.onCommitted((committed) => {
    for (const { event, atMs } of committed.events) follow({ turns, spans, committed, atMs }, event);
  });
}

type Followed = { turns: Map<string, OpenTurn>; spans: Spans; committed: Committed; atMs: number };

function follow(followed: Followed, event: SessionEvent): void {
  const { turns, committed, atMs } = followed;
  const turn = turns.get(committed.sessionId);
  switch (event.type) {
    case "turn.started":
    case "turn.taken-over":
      return begin(followed, event);
    case "entry.appended":
      return turn === undefined ? undefined : followEntry(turn, event.entry, atMs);
    case "slice.changed":
      return event.slice === SLICE ? followDecision(followed, event.event.type) : undefined;
    case "turn.finished":
      turn?.span.end({
        atMs,
        attributes: { "holdpoint.turn.outcome": event.outcome },
        ...(event.outcome === "failed" ? { error: "failed" } : {}),
      });
      return void turns.delete(committed.sessionId);
    case "session.deleted":
      turn?.span.end({ atMs, error: "deleted" });
      return void turns.delete(committed.sessionId);
    default:
      return undefined;
  }
}

function begin({ turns, spans, committed, atMs }: Followed, { type, turnId }: { type: string; turnId: string }): void {
  const { session, sessionId } = committed;
  const agent = session?.agentId ?? "unknown";
  const span = spans.root({
    name: `invoke_agent ${agent}`,
    kind: "internal",
    atMs,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.id": agent,
      "gen_ai.conversation.id": sessionId,
      "holdpoint.turn.id": turnId,
      ...(type === "turn.taken-over" ? { "holdpoint.turn.taken_over": 1 } : {}),
      ...modeOf(session),
    },
  });
  turns.set(sessionId, { span, askedAtMs: atMs, calls: new Map() });
}

function modeOf(session: Session | undefined): SpanAttributes {
  const { data } = PlanModeState.safeParse(session?.slices[SLICE]);
  return data === undefined ? {} : { "holdpoint.plan.phase": data.now.phase };
}

type Entry = Extract<SessionEvent, { type: "entry.appended" }>["entry"];

function followEntry(turn: OpenTurn, entry: Entry, atMs: number): void {
  switch (entry.kind) {
    case "assistant":
      return answered(turn, entry, atMs);
    case "call": {
      const parent = turn.calls.get(entry.parentCallId ?? "") ?? turn.span;
      return void turn.calls.set(entry.callId, parent.child(callSpan(entry, atMs)));
    }
    case "call-result":
      return endCall(turn, entry, atMs);
    case "result":
      turn.askedAtMs = atMs;
      return endCall(turn, entry, atMs);
    case "input":
      turn.askedAtMs = atMs;
      return undefined;
    default:
      return undefined;
  }
}

function endCall(turn: OpenTurn, { callId, status }: { callId: string; status: CallStatus }, atMs: number): void {
  turn.calls.get(callId)?.end({ atMs, ...outcomeOf(status) });
  turn.calls.delete(callId);
}

type Answer = { usage?: Usage | undefined; calls: readonly { callId: string; tool: string }[] };

function answered(turn: OpenTurn, { usage, calls }: Answer, atMs: number): void {
  const model = usage?.model ?? "unknown";
  const chat = turn.span.child({
    name: `chat ${model}`,
    kind: "client",
    atMs: turn.askedAtMs,
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": model },
  });
  chat.end({ atMs, ...(usage === undefined ? {} : { attributes: countsOf(usage) }) });
  for (const call of calls) turn.calls.set(call.callId, turn.span.child(callSpan(call, atMs)));
}

const countsOf = ({ inputTokens, outputTokens, costUsd }: Usage): SpanAttributes => ({
  "gen_ai.usage.input_tokens": inputTokens,
  "gen_ai.usage.output_tokens": outputTokens,
  ...(costUsd === null ? {} : { "holdpoint.usage.cost_usd": costUsd }),
});

const callSpan = ({ callId, tool }: { callId: string; tool: string }, atMs: number): SpanStart => ({
  name: `execute_tool ${tool}`,
  kind: "internal",
  atMs,
  attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, "gen_ai.tool.call.id": callId },
});

const outcomeOf = (status: CallStatus): { attributes: SpanAttributes; error?: string } => ({
  attributes: { "holdpoint.call.status": status },
  ...(status === "ok" ? {} : { error: status }),
});

const DECIDED: Readonly<Record<string, string>> = {
  "plan.approved": "approved",
  "plan.rejected": "rejected",
  "plan.timed_out": "timed_out",
};

/** How long a plan waited is in the state that the decision ends, so that a restart in between loses nothing of it. */
function followDecision({ spans, committed, atMs }: Followed, type: string): void {
  const decision = DECIDED[type];
  if (decision === undefined) return;
  const { data } = PlanModeState.safeParse(committed.before?.slices[SLICE]);
  if (data?.now.phase !== "pending") return;
  const { approvalId, planId, revision, submittedAtMs, steps } = data.now.submission;
  const span = spans.root({
    name: "plan.approval",
    kind: "internal",
    atMs: submittedAtMs,
    attributes: {
      "gen_ai.conversation.id": committed.sessionId,
      "holdpoint.approval.id": approvalId,
      "holdpoint.plan.id": planId,
      "holdpoint.plan.revision": revision,
      "holdpoint.plan.steps": steps.length,
    },
  });
  span.end({ atMs, attributes: { "holdpoint.approval.decision": decision } });
}
