/** A person starts a session; what kind of place it is was settled by the surface, not by what the person sent. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Engine, Outcome } from "../engine/engine.ts";
import { SessionId } from "../protocol/ids.ts";
import type { CommandOf } from "../protocol/session.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import type { Sender } from "./sender.ts";

export type OpenParts = {
  engine: Pick<Engine, "dispatch" | "session">;
  /** The folder that a session works in when its creator names none. */
  workspaceFor(agentId: string): string;
  /** The role of sessions of this agent and surface, unless their creator names one. */
  roleFor(place: { agentId: string; surface: string; instance?: string | undefined }): string | undefined;
};

export type NewSession = {
  agentId: string;
  title: string;
  workspace?: string | undefined;
  role?: string | undefined;
  /** The account of the surface; only a channel says it, never a client. */
  instance?: string | undefined;
};

export type SessionOpening = { open(wanted: NewSession, by: Sender): Promise<Outcome> };

export function createSessionOpening(parts: OpenParts): SessionOpening {
  const { engine } = parts;
  return {
    async open(wanted, by) {
      const refused = lackingForRole(wanted, by, parts);
      if (refused !== undefined) return { ok: false, refusal: refused.refused };
      // always a new id: one derived from the key would reopen a deleted session's conversation once the key is forgotten
      const sessionId = SessionId.parse(`ses_${randomBytes(16).toString("base64url")}`);
      const outcome = await engine.dispatch(sessionId, creation(wanted, { sessionId, by, parts }), by);
      if (!outcome.ok) return outcome;
      const { sessionId: made } = Created.parse(outcome.reply); // the first session's id, when the key was used before
      return made === sessionId ? outcome : { ...outcome, session: await engine.session(made) };
    },
  };
}

const Created = z.object({ sessionId: SessionId });

/**
 * A role decides whether a session starts in plan mode, so choosing another than the configured one needs the scope of
 * a decision.
 */
function lackingForRole({ agentId, role, instance }: NewSession, { actor }: Sender, { roleFor }: OpenParts) {
  const { scopes, surface } = actor;
  const lacking = lackingScopes("sessions.create", ["operator.write"], scopes);
  if (lacking !== undefined || role === undefined || role === roleFor({ agentId, surface, instance })) return lacking;
  return lackingScopes("sessions.create with a role of your own", ["operator.approvals"], scopes);
}

function creation(
  { agentId, title, workspace, role: asked, instance }: NewSession,
  { sessionId, by, parts }: { sessionId: SessionId; by: Sender; parts: OpenParts },
): CommandOf<"session.create"> {
  const { surface } = by.actor;
  const role = asked ?? parts.roleFor({ agentId, surface, instance });
  return {
    type: "session.create",
    sessionId,
    agentId,
    kind: "chat",
    surface,
    ...(instance === undefined ? {} : { instance }),
    workspace: workspace ?? parts.workspaceFor(agentId),
    title,
    ...(role === undefined ? {} : { role }),
  };
}
