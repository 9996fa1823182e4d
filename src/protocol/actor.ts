/** Who causes a command or an event. */
import { z } from "zod";
import { SCOPES } from "./card/person.ts";
import { OperatorId, SessionId } from "./ids.ts";
import { PresenceProof } from "./presence.ts";

export { hasScope } from "./card/person.ts";

export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

/** Who did it, for people: an operator's name and stable id, or the part of the system that acted by a rule. */
export const By = z.strictObject({
  kind: z.enum(["operator", "agent", "policy", "system"]),
  id: z.string(),
  name: z.string(),
  /** The browser's log-in that spoke for the operator: when that is revoked, what it decided counts no more. */
  device: OperatorId.exactOptional(),
});
export type By = z.infer<typeof By>;

/** Who caused a fact. Only an operator can decide; an agent is never one, whatever token it finds. */
export const Actor = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("operator"),
    id: OperatorId,
    name: z.string(),
    scopes: z.array(Scope),
    surface: z.string(),
    /** The browser's log-in that speaks in the operator's name; absent where the operator's own token does. */
    device: OperatorId.optional(),
    /** A signature of the operator's passkey that the gateway verified; what it covers, its statement says. */
    presence: PresenceProof.optional(),
  }),
  z.strictObject({
    kind: z.literal("agent"),
    sessionId: SessionId,
    /** The person whose own program makes the call with the agent's tools: it has the agent's rights, and is theirs. */
    lentTo: By.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("system"), reason: z.string() }),
]);
export type Actor = z.infer<typeof Actor>;

/** The stable name under which an actor's idempotency keys and audit facts are kept; display names change, ids do not. */
export function actorKey(actor: Actor): string {
  switch (actor.kind) {
    case "operator":
      return actor.id;
    case "agent":
      return actor.lentTo?.id ?? `agent:${actor.sessionId}`;
    case "system":
      return `system:${actor.reason}`;
  }
}

export const byOperator = ({
  id,
  name,
  device,
}: Pick<Extract<Actor, { kind: "operator" }>, "id" | "name" | "device">): By => ({
  kind: "operator",
  id,
  name,
  ...(device === undefined ? {} : { device }),
});
