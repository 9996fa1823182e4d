/** What plugins let people press: actions of a session, and the descriptors that a page draws them from. */
import { z } from "zod";
import type { MethodTable } from "../../http/method-table.ts";
import type { Scope } from "../../protocol/actor.ts";
import { refuse } from "../../protocol/refusal.ts";
import { invoke } from "../invoke/invocation.ts";
import type { CommandParts } from "./command-text.ts";
import { dispatchBy } from "./idempotency.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import { NO_SESSION } from "./sessions.ts";

const DEFAULT_SCOPES: readonly Scope[] = ["operator.write"];

export function controlMethods(
  parts: CommandParts,
): Pick<MethodTable, "sessions.action" | "ui.descriptors" | "ui.texts"> {
  const { host, engine } = parts;
  return {
    async "sessions.action"(asked, { actor }) {
      const name = `${asked.pluginId}/${asked.action}`;
      const found = host.actions.get(name);
      if (found === undefined) return refuse("ACTION_UNKNOWN", `No enabled plugin has the action ${name}.`);
      const { pluginId, action, slice } = found;
      const scopes = action.requiredScopes ?? DEFAULT_SCOPES;
      const lacking = lackingScopes(name, scopes, actor.scopes);
      if (lacking !== undefined) return lacking;
      const parsed = action.schema.safeParse(asked.params);
      if (!parsed.success) return refuse("INVALID_REQUEST", `${name}: ${z.prettifyError(parsed.error)}`);
      const session = await engine.session(asked.sessionId);
      if (session === undefined) return NO_SESSION;
      const by = dispatchBy(actor, "sessions.action", asked);
      const invocation = { pluginId, slice: slice(), cause: name, scopes, actor, by };
      const reply = await parts.answerOnce(session, by, () =>
        invoke(session, { ...invocation, run: (call) => action.handler({ ...call, params: parsed.data }) }, parts),
      );
      return reply.ok ? { message: reply.message } : { refused: reply.refusal };
    },
    async "ui.texts"({ language }) {
      const plugins = [...host.texts].map(([pluginId, texts]) => ({
        pluginId,
        texts: { ...texts["en"], ...texts[language] },
      }));
      return { plugins };
    },
    async "ui.descriptors"(_params, { actor }) {
      const plugins = [...host.descriptors].map(([pluginId, descriptors]) => ({
        pluginId,
        descriptors: descriptors.filter(
          ({ requiredScopes = [] }) => lackingScopes(pluginId, requiredScopes, actor.scopes) === undefined,
        ),
      }));
      return { plugins: plugins.filter(({ descriptors }) => descriptors.length > 0) };
    },
  };
}
