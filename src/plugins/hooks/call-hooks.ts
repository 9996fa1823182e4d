/** The hooks around one tool call, of all plugins together, behind the port that the pipeline knows. */
import type { CalledTool, HookedCall, HookVerdict, ToolHooks } from "../tool-hooks.ts";
import type { AgentEventHub } from "../events/agent-events.ts";
import type { Clock } from "../sessions.ts";
import type { HookRunner } from "./hook-runner.ts";

type Events = { hub: Pick<AgentEventHub, "tell">; clock: Pick<Clock, "now"> };

/** `events`: where the beginning of a reading call is published; absent: nowhere. */
export function createCallHooks(hooks: HookRunner, events?: Events): ToolHooks {
  return {
    listens: () => hooks.has("before_tool_call") || hooks.has("after_tool_call"),
    beforeToolCall: (call) => (hooks.has("before_tool_call") ? before(call, hooks) : PASS),
    readStarted: ({ sessionId: sessionKey, turnId, callId, tool }) =>
      events?.hub.tell({
        type: "tool.started",
        sessionKey,
        ...(turnId === undefined ? {} : { runId: turnId }),
        atMs: events.clock.now(),
        data: { callId, tool },
      }),
    async afterToolCall(call) {
      if (!hooks.has("after_tool_call")) return;
      const { status, durationMs } = call;
      await hooks.run("after_tool_call", { ...placeOf(call), ...whatOf(call), status, durationMs });
    },
  };
}

const UNANSWERED = "its hook gave no answer";
const PASS: HookVerdict = { verdict: "pass" };

/**
 * The strictest answer counts: a block ends the round, otherwise a request to ask a person. A failed hook may have
 * wanted either, so before a change a person is asked as well.
 */
async function before(call: HookedCall, hooks: HookRunner): Promise<HookVerdict> {
  const { effect, args } = call;
  const event = { ...placeOf(call), ...whatOf(call), effect, args };
  let silent: string | undefined;
  const answers = await hooks.run("before_tool_call", event, {
    until: ({ answer }) => "block" in answer,
    failed: (pluginId) => void (silent ??= pluginId),
  });
  const found = answers.find(({ answer }) => "block" in answer) ?? answers[0];
  if (found === undefined) {
    return silent === undefined || effect === "read" ? PASS : { verdict: "ask", reason: UNANSWERED, by: silent };
  }
  const { answer, pluginId } = found;
  return "block" in answer
    ? { verdict: "block", reason: answer.block, by: pluginId }
    : { verdict: "ask", reason: answer.ask, by: pluginId };
}

const whatOf = ({ callId, tool, kind, toolKind, toolInputKind }: HookedCall) => ({
  callId,
  tool,
  kind,
  ...(toolKind === undefined ? {} : { toolKind }),
  ...(toolInputKind === undefined ? {} : { toolInputKind }),
});

/** The run is the turn; without one, everything that the caller does while it is open. */
const placeOf = ({ sessionId, agentId, sessionKind, turnId, caller, callId }: HookedCall | CalledTool) => ({
  sessionKey: sessionId,
  agentId,
  sessionKind,
  runId: turnId ?? caller?.id ?? callId,
});
