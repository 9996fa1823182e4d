/** A person presses an action of a plugin: scope, schema, then one invocation of its handler. */
import { z } from "zod";
import type { Engine } from "../engine/engine.ts";
import type { Scope } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { CommandParts } from "./command-text.ts";
import { invoke } from "./invocation.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import { NO_SESSION } from "./no-session.ts";
import type { Sender } from "./sender.ts";

const DEFAULT_SCOPES: readonly Scope[] = ["operator.write"];

export type PressedAction = { sessionId: SessionId; pluginId: string; action: string; params?: Json | undefined };

export type ActionPressing = { press(pressed: PressedAction, by: Sender): Promise<{ message: string } | Refused> };

export type ActionParts = CommandParts & {
  engine: Pick<Engine, "session">;
  /** Loads a plugin of which only the manifest was read, before its action runs. */
  beforeAction(pluginId: string): Promise<void>;
};

export function createActionPressing(parts: ActionParts): ActionPressing {
  const { host, engine } = parts;
  return {
    async press(pressed, by) {
      await parts.beforeAction(pressed.pluginId);
      const name = `${pressed.pluginId}/${pressed.action}`;
      const found = host.actions.get(name);
      if (found === undefined) return refuse("ACTION_UNKNOWN", `No enabled plugin has the action ${name}.`);
      const { pluginId, action, slice } = found;
      const scopes = action.requiredScopes ?? DEFAULT_SCOPES;
      const lacking = lackingScopes(name, scopes, by.actor.scopes);
      if (lacking !== undefined) return lacking;
      const parsed = action.schema.safeParse(pressed.params);
      if (!parsed.success) return refuse("INVALID_REQUEST", `${name}: ${z.prettifyError(parsed.error)}`);
      const session = await engine.session(pressed.sessionId);
      if (session === undefined) return NO_SESSION;
      const invocation = { pluginId, slice: slice(), cause: name, scopes, actor: by.actor, by };
      const reply = await parts.answerOnce(session, by, () =>
        invoke(session, { ...invocation, run: (call) => action.handler({ ...call, params: parsed.data }) }, parts),
      );
      return reply.ok ? { message: reply.message } : { refused: reply.refusal };
    },
  };
}
