/**
 * Whether a person stands behind a turn. It is recorded with the request for the turn and with each message, from who
 * caused them, so it survives a restart and a take-over, and nothing that an agent says or schedules can claim it.
 */
import type { Session, SessionKind, TurnIn } from "../protocol/session.ts";
import { automationSettings } from "../protocol/settings/automation-settings.ts";
import type { Context } from "./slice.ts";

/** How a turn that is asked for is backed; absent means by nobody. */
export type Backing = Pick<TurnIn<"requested">, "attended" | "continues" | "lent">;

export const byPerson = ({ actor }: Context): boolean => actor.kind === "operator";

/** A session above is believed because only the gateway speaks in its name, with what that session's commit recorded. */
export const isFromAbove = ({ parentId }: Pick<Session, "parentId">, { actor }: Context): boolean =>
  parentId !== undefined && actor.kind === "agent" && actor.sessionId === parentId;

/** Without fields that say nothing, so that a turn that nobody backs is stored as before. */
export const backing = ({ attended, continues, lent }: Backing): Backing => ({
  ...(attended === true ? { attended } : {}),
  ...(continues === true ? { continues } : {}),
  ...(lent === true ? { lent } : {}),
});

const ATTENDABLE: ReadonlySet<SessionKind> = new Set(["chat", "subagent", "external"]);

/** Sessions in which nobody is ever there, whoever writes in them. */
export const isAlwaysUnattended = (kind: SessionKind): boolean => !ATTENDABLE.has(kind);

/** A person's word or decision started the turn that runs, or the configuration does not ask for one. */
export function isAttended({ kind, turn }: Pick<Session, "kind" | "turn">, settings: Context["settings"]): boolean {
  if (turn.status === "running" && turn.attended === true && !isAlwaysUnattended(kind)) return true;
  return automationSettings(settings).unattended === "open";
}

/** The turn that runs took up an order of a run that nobody attends, for an approved plan of a session above. */
export const isLent = ({ parentId, turn }: Pick<Session, "parentId" | "turn">): boolean =>
  parentId !== undefined && turn.status === "running" && turn.lent === true;
