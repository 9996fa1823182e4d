import { randomBytes } from "node:crypto";
import { isAbsolute } from "node:path";
import { z } from "zod";
import type { Engine, Outcome } from "../../engine/engine.ts";
import type { Caller, MethodTable } from "../../http/method-table.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { ParsedParamsOf, SessionSummary } from "../../protocol/methods.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import { type CommandOf, SessionKind } from "../../protocol/session.ts";
import type { PluginHost } from "../../plugins/host.ts";
import type { SessionRow, Store } from "../../store/store.ts";
import { dispatchBy } from "./idempotency.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import { listed } from "./listed.ts";
import { createPatches } from "./session-patch.ts";
import type { ViewOf } from "./session-view.ts";
import { timelineOf } from "./records/timeline.ts";

export type SessionParts = {
  engine: Engine;
  store: Store;
  host: PluginHost;
  view: ViewOf;
  /** The folder that a session works in when its creator names none. */
  workspaceFor(agentId: string): string;
  /** The role of sessions of this agent and surface, unless their creator names one. */
  roleFor(place: { agentId: string; surface: string }): string | undefined;
};

type SessionMethods = Omit<Pick<MethodTable, Extract<keyof MethodTable, `sessions.${string}`>>, "sessions.action">;

export const NO_SESSION = refuse("SESSION_NOT_FOUND", "There is no such session. List them with sessions.list.");

export function sessionMethods(parts: SessionParts): SessionMethods {
  const { engine, store, view } = parts;
  const patches = createPatches(parts);
  const shown = (outcome: Outcome) => {
    if (!outcome.ok) return { refused: outcome.refusal };
    return outcome.session === undefined ? NO_SESSION : { session: view(outcome.session) };
  };
  return {
    async "sessions.create"(params, { actor }) {
      if (params.workspace !== undefined && !isAbsolute(params.workspace)) return RELATIVE_WORKSPACE;
      const lacking = lackingForRole(params, actor, parts);
      if (lacking !== undefined) return lacking;
      // always a new one: an id made of the key would, once the key is forgotten, open a deleted session's talk again
      const sessionId = SessionId.parse(`ses_${randomBytes(16).toString("base64url")}`);
      const command = creation(params, { sessionId, surface: actor.surface, parts });
      const outcome = await engine.dispatch(sessionId, command, dispatchBy(actor, "sessions.create", params));
      if (!outcome.ok) return shown(outcome);
      const { sessionId: made } = Created.parse(outcome.reply); // the first one's, when the key was used before
      return shown(made === sessionId ? outcome : { ...outcome, session: await engine.session(made) });
    },
    async "sessions.list"({ cursor, limit, archived, waiting, search }) {
      const filter = { archived, ...(waiting === undefined ? {} : { waiting }), ...(search ? { search } : {}) };
      return listed(async () => {
        const { items, nextCursor } = await store.sessions(filter, { cursor, limit });
        return { sessions: items.map(toSummary), nextCursor };
      });
    },
    async "sessions.get"({ sessionId }) {
      const session = await engine.session(sessionId);
      return session === undefined ? NO_SESSION : { session: view(session) };
    },
    async "sessions.patch"(params, { actor }) {
      const patch = patches.parse(params);
      if ("refused" in patch) return patch;
      const command = await patches.command(patch, actor.scopes);
      if ("refused" in command) return command;
      const by = dispatchBy(actor, "sessions.patch", patch.params);
      const outcome = await engine.dispatch(params.sessionId, command, by);
      if (!outcome.ok) return { refused: outcome.refusal };
      return { reply: outcome.reply, session: outcome.session === undefined ? null : view(outcome.session) };
    },
    async "sessions.reset"(params, { actor }) {
      const by = dispatchBy(actor, "sessions.reset", params);
      return shown(await engine.dispatch(params.sessionId, { type: "session.reset" }, by));
    },
    async "sessions.delete"(params, { actor }) {
      const by = dispatchBy(actor, "sessions.delete", params);
      const outcome = await engine.dispatch(params.sessionId, { type: "session.delete" }, by);
      return outcome.ok ? {} : { refused: outcome.refusal };
    },
    async "sessions.timeline"(params) {
      if ((await engine.session(params.sessionId)) === undefined) return NO_SESSION;
      return timelineOf({ store, view }, params);
    },
    async "sessions.subscribe"({ sessionId, afterCursor }, { subscriptions }) {
      if ((await engine.session(sessionId)) === undefined) return NO_SESSION;
      return subscriptions.add(sessionId, afterCursor);
    },
    async "sessions.unsubscribe"({ sessionId }, { subscriptions }) {
      subscriptions.remove(sessionId);
      return {};
    },
    async "sessions.watch"(_params, { subscriptions }) {
      subscriptions.watch();
      return {};
    },
  };
}

const Created = z.object({ sessionId: SessionId });

const RELATIVE_WORKSPACE = refuse(
  "INVALID_REQUEST",
  "sessions.create: workspace: give the whole path; this gateway may run in another folder than you.",
  { path: "workspace" },
);

/** A role decides whether a session starts locked, so naming another than the configured one is a decision. */
function lackingForRole(
  { agentId, role }: ParsedParamsOf<"sessions.create">,
  { scopes, surface }: Caller["actor"],
  { roleFor }: SessionParts,
): Refused | undefined {
  if (role === undefined || role === roleFor({ agentId, surface })) return undefined;
  return lackingScopes("sessions.create with a role of your own", ["operator.approvals"], scopes);
}

function creation(
  { agentId, title, workspace, role: asked }: ParsedParamsOf<"sessions.create">,
  place: { sessionId: SessionId; surface: string; parts: SessionParts },
): CommandOf<"session.create"> {
  const role = asked ?? place.parts.roleFor({ agentId, surface: place.surface });
  return {
    type: "session.create",
    sessionId: place.sessionId,
    agentId,
    kind: "chat",
    surface: place.surface,
    workspace: workspace ?? place.parts.workspaceFor(agentId),
    title,
    ...(role === undefined ? {} : { role }),
  };
}

const toSummary = (row: SessionRow): SessionSummary => ({ ...row, kind: SessionKind.parse(row.kind) });
