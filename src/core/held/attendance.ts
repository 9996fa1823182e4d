/**
 * Whether a person is responsible for a turn. The answer is recorded with the request for the turn and with each
 * message, from the actor that caused them. So it survives a restart and a take-over, and nothing that an agent says or
 * schedules can claim it.
 */
import type { Session, SessionKind, TurnIn } from "../../protocol/session.ts";
import { automationSettings } from "../../protocol/settings/automation-settings.ts";
import type { Context } from "../slice.ts";

/** Who backs a requested turn; absent means that nobody does. */
export type Backing = Pick<TurnIn<"requested">, "attended" | "continues" | "lent">;

export const byPerson = ({ actor }: Context): boolean => actor.kind === "operator";

/** A parent session is trusted because only the gateway acts in its name, with what that session's commit recorded. */
export const isFromAbove = ({ parentId }: Pick<Session, "parentId">, { actor }: Context): boolean =>
  parentId !== undefined && actor.kind === "agent" && actor.sessionId === parentId;

/** Leaves false fields out, so that a turn that nobody backs is stored as in earlier versions. */
export const backing = ({ attended, continues, lent }: Backing): Backing => ({
  ...(attended === true ? { attended } : {}),
  ...(continues === true ? { continues } : {}),
  ...(lent === true ? { lent } : {}),
});

const ATTENDABLE: ReadonlySet<SessionKind> = new Set(["chat", "subagent", "external"]);

/** Kinds of session that always run unattended, whoever writes to them. */
export const isAlwaysUnattended = (kind: SessionKind): boolean => !ATTENDABLE.has(kind);

/** True when a person's message or decision started the running turn, or the configuration does not require one. */
export function isAttended({ kind, turn }: Pick<Session, "kind" | "turn">, settings: Context["settings"]): boolean {
  if (turn.status === "running" && turn.attended === true && !isAlwaysUnattended(kind)) return true;
  return automationSettings(settings).unattended === "open";
}

/** The turn that runs took up an order of a run that nobody attends, for an approved plan of a session above. */
export const isLent = ({ parentId, turn }: Pick<Session, "parentId" | "turn">): boolean =>
  parentId !== undefined && turn.status === "running" && turn.lent === true;
