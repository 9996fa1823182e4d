/**
 * A person starts a session. Which surface, account and agent it belongs to is settled by the server from the credential
 * (GW-09); a folder, a role or an agent of the person's own choice needs the right to choose it.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Engine, Outcome } from "../engine/engine.ts";
import { hasScope } from "../protocol/actor.ts";
import { SessionId } from "../protocol/ids.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { CommandOf } from "../protocol/session.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import type { Sender } from "./sender.ts";

type Bound = { surface: string; instance?: string | undefined };

export type OpenParts = {
  engine: Pick<Engine, "dispatch" | "session">;
  /** The folder that a session works in when its creator names none. */
  workspaceFor(agentId: string): string;
  /** The folder that its creator names, as it really lies, or why they may not have it. */
  chooseWorkspace(path: string, by: { isFree: boolean }): Promise<{ workspace: string; rooted?: true } | Refused>;
  /** The role of sessions of this agent and surface, unless their creator names one. */
  roleFor(place: Bound & { agentId: string }): string | undefined;
  /** The agent that this surface and account are bound to. */
  agentFor(place: Bound): string;
  hasAgent(agentId: string): boolean;
  /** Why this person alone may not loosen the gate in such a session; undefined where they may. */
  refuseLoosening(actor: Sender["actor"], place: Bound & { agentId: string }): Refused | undefined;
};

export type NewSession = {
  /** Absent: a new one. The server says it, never a client. */
  sessionId?: SessionId | undefined;
  /** Absent: the one that the surface is bound to. */
  agentId?: string | undefined;
  title: string;
  workspace?: string | undefined;
  role?: string | undefined;
  /** The account of the surface; the server says it, never a client. */
  instance?: string | undefined;
};

export type SessionOpening = {
  open(wanted: NewSession, by: Sender): Promise<Outcome>;
  /** What creates such a session, or why this person may not have it: for a message that opens its conversation. */
  creation(wanted: NewSession, by: Sender): Promise<Creation | Refused>;
};

export type Creation = Omit<CommandOf<"session.create">, "type">;

/** Never one derived from a key: it would reopen a deleted session's conversation once the key is forgotten. */
export const newSessionId = (): SessionId => SessionId.parse(`ses_${randomBytes(16).toString("base64url")}`);

export function createSessionOpening(parts: OpenParts): SessionOpening {
  const { engine } = parts;
  async function creation(wanted: NewSession, by: Sender): Promise<Creation | Refused> {
    const place = placeOf(wanted, by, parts);
    if ("refused" in place) return place;
    const folder = await folderOf(wanted, { by, parts, agentId: place.agentId });
    if ("refused" in folder) return folder;
    const { sessionId = newSessionId(), title } = wanted;
    return { sessionId, kind: "chat", ...place, ...folder, title };
  }

  return {
    creation,
    async open(wanted, by) {
      const given = await creation(wanted, by);
      if ("refused" in given) return { ok: false, refusal: given.refused };
      const { sessionId } = given;
      const outcome = await engine.dispatch(sessionId, { type: "session.create", ...given }, by);
      if (!outcome.ok) return outcome;
      const { sessionId: made } = Created.parse(outcome.reply); // the first session's id, when the key was used before
      return made === sessionId ? outcome : { ...outcome, session: await engine.session(made) };
    },
  };
}

const Created = z.object({ sessionId: SessionId });

type Placed = Pick<CommandOf<"session.create">, "agentId" | "surface" | "instance" | "role">;

/** What the credential settles: surface, account, agent and role. */
function placeOf(
  { agentId: asked, role, instance }: NewSession,
  { actor }: Sender,
  parts: OpenParts,
): Placed | Refused {
  const { scopes, surface } = actor;
  const agentId = asked ?? parts.agentFor({ surface, instance });
  const place = { agentId, surface, ...(instance === undefined ? {} : { instance }) };
  const refused =
    lackingScopes("sessions.create", ["operator.write"], scopes) ??
    refuseAgent(place, actor, parts) ??
    refuseRole({ ...place, role }, actor, parts);
  if (refused !== undefined) return refused;
  const settled = role ?? parts.roleFor(place);
  return { ...place, ...(settled === undefined ? {} : { role: settled }) };
}

/** An agent has settings of its own, so another than the bound one is for those who could change the bindings. */
function refuseAgent(
  { agentId, ...bound }: Bound & { agentId: string },
  { scopes }: Sender["actor"],
  { agentFor, hasAgent }: OpenParts,
): Refused | undefined {
  if (agentId === agentFor(bound)) return undefined;
  const lacking = lackingScopes("sessions.create with an agent of your own choice", ["operator.admin"], scopes);
  if (lacking !== undefined || hasAgent(agentId)) return lacking;
  return refuse("INVALID_REQUEST", `sessions.create: agentId: there is no agent ${agentId.slice(0, 64)} here.`, {
    path: "agentId",
  });
}

/**
 * A role decides whether a session starts in plan mode, so choosing another than the configured one is a decision, and
 * where approvals are limited it needs what an approval needs (PL-19).
 */
function refuseRole(
  { role, ...place }: Bound & { agentId: string; role: string | undefined },
  actor: Sender["actor"],
  { roleFor, refuseLoosening }: OpenParts,
): Refused | undefined {
  if (role === undefined || role === roleFor(place)) return undefined;
  const what = "sessions.create with a role of your own";
  return lackingScopes(what, ["operator.approvals"], actor.scopes) ?? refuseLoosening(actor, place);
}

type Choosing = { by: Sender; parts: OpenParts; agentId: string };

async function folderOf({ workspace }: NewSession, { by, parts, agentId }: Choosing) {
  if (workspace === undefined) return { workspace: parts.workspaceFor(agentId) };
  return parts.chooseWorkspace(workspace, { isFree: hasScope(by.actor.scopes, "operator.admin") });
}
