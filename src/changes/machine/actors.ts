/** Who may give which command: people decide, the gateway records. Never the agent. */
import { type Actor, type By, byOperator, hasScope } from "../../protocol/actor.ts";
import type { Refused } from "../../protocol/refusal.ts";
import type { ChangesCommand } from "../protocol/state.ts";
import { refuse } from "../protocol/refuse.ts";

const BY_PEOPLE: ReadonlySet<ChangesCommand["type"]> = new Set(["rollback", "resume"]);

export function refuseActor(type: ChangesCommand["type"], actor: Actor): Refused | undefined {
  const isAllowed = BY_PEOPLE.has(type)
    ? actor.kind === "operator" && hasScope(actor.scopes, "operator.approvals")
    : actor.kind === "system";
  if (isAllowed) return undefined;
  const who = BY_PEOPLE.has(type) ? "an operator with operator.approvals" : "the gateway itself";
  return refuse("PERMISSION_DENIED", `Only ${who} may do this (${type}).`, { command: type, actor: actor.kind });
}

export function byOf(actor: Actor): By {
  if (actor.kind === "operator") return byOperator(actor);
  return actor.kind === "agent"
    ? { kind: "agent", id: actor.sessionId, name: "the agent" }
    : { kind: "system", id: actor.reason, name: actor.reason };
}
