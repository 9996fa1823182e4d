/** What plugins need to make calls for others: callers, and sessions for agents that run outside. */
import { randomBytes } from "node:crypto";
import { resolveRole, resolveWorkspace } from "../../config/resolve.ts";
import type { PluginCalls } from "../../plugins/plugin-runtime.ts";
import { callerResults } from "../../gateway/caller-results.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { Callers } from "../../tools/callers/callers.ts";
import type { ComposedEngine } from "../engine.ts";
import type { State } from "../state.ts";

const AGENT = "main";

export function pluginCalls(state: State, { engine, host }: ComposedEngine, callers: Callers): PluginCalls {
  const { config, options, log } = state;
  host.onChange(({ kind, pluginId }) => {
    if (kind !== "disabled") return;
    void callers
      .closeOwned(pluginId)
      .catch((error: unknown) => log.warn({ err: error, pluginId }, "callers of a plugin could not be closed"));
  });
  return {
    open: callers.open,
    resume: callers.resume,
    results: (_pluginId, { sessionId, callerId }) => callerResults(state.store, sessionId, callerId),
    async createSession(pluginId, { title, agentId = AGENT, workspace }) {
      const sessionId = SessionId.parse(`ses_${randomBytes(16).toString("base64url")}`);
      const role = resolveRole(config.current(), { agentId, surface: pluginId });
      const outcome = await engine.dispatch(
        sessionId,
        {
          type: "session.create",
          sessionId,
          agentId,
          kind: "external",
          surface: pluginId,
          workspace: workspace ?? resolveWorkspace(config.current(), agentId) ?? options.workspace,
          title,
          ...(role === undefined ? {} : { role }),
        },
        { actor: { kind: "system", reason: `plugin ${pluginId}` } },
      );
      return outcome.ok ? { sessionId } : { refused: outcome.refusal };
    },
  };
}
