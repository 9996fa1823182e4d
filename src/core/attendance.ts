/**
 * Whether a person is responsible for a turn. The answer is recorded with the request for the turn and with each
 * message, from the actor that caused them. So it survives a restart and a take-over, and nothing that an agent says or
 * schedules can claim it.
 */
import type { Session, SessionKind, TurnIn } from "../protocol/session.ts";
import { automationSettings } from "../protocol/settings/automation-settings.ts";
import type { Context } from "./slice.ts";

/** Whether a person backs a requested turn; absent means that nobody does. */
export type Backing = Pick<TurnIn<"requested">, "attended" | "continues">;

export const byPerson = ({ actor }: Context): boolean => actor.kind === "operator";

/** Leaves false fields out, so that a turn that nobody backs is stored as in earlier versions. */
export const backing = ({ attended, continues }: Backing): Backing => ({
  ...(attended === true ? { attended } : {}),
  ...(continues === true ? { continues } : {}),
});

const ATTENDABLE: ReadonlySet<SessionKind> = new Set(["chat", "subagent", "external"]);

/** Kinds of session that always run unattended, whoever writes to them. */
export const isAlwaysUnattended = (kind: SessionKind): boolean => !ATTENDABLE.has(kind);

/** True when a person's message or decision started the running turn, or the configuration does not require one. */
export function isAttended({ kind, turn }: Pick<Session, "kind" | "turn">, settings: Context["settings"]): boolean {
  if (turn.status === "running" && turn.attended === true && !isAlwaysUnattended(kind)) return true;
  return automationSettings(settings).unattended === "open";
}
