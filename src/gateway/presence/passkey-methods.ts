/** The methods about passkeys. A link is itself a decision: once there was a passkey, making one takes a passkey. */
import type { Clock } from "../../engine/clock.ts";
import type { MethodTable, OperatorActor } from "../../http/method-table.ts";
import type { PresencePort } from "../../inbound/presence-port.ts";
import { hasScope } from "../../protocol/actor.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import type { PresenceProof, PresenceResponse } from "../../protocol/presence.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
import { StoreRefused } from "../methods/store-refusal.ts";
import type { Tokens } from "../tokens.ts";
import { keepTicket } from "./enrolment.ts";
import { type PageAddress, refuseNameless } from "./page-address.ts";
import type { Passkeys } from "./passkeys.ts";
import { provePresence } from "./prove-presence.ts";

export type PasskeyMethodParts = {
  store: Store;
  clock: Clock;
  tokens: Pick<Tokens, "operator">;
  passkeys: Passkeys;
  presence: PresencePort;
  address(): PageAddress;
};

const isAdmin = ({ scopes }: OperatorActor): boolean => hasScope(scopes, "operator.admin");

type PasskeyMethods = Pick<MethodTable, Extract<keyof MethodTable, `passkeys.${string}`>>;

export function passkeyMethods(parts: PasskeyMethodParts): PasskeyMethods {
  const { passkeys, store, clock, address } = parts;
  return {
    "passkeys.list": async (_params, { actor }) => ({
      passkeys: await passkeys.list(isAdmin(actor) ? undefined : actor.id),
    }),
    async "passkeys.link"({ operatorId, presence }, { actor }) {
      const id = operatorId ?? actor.id;
      const operator = await parts.tokens.operator(id);
      if (operator === undefined)
        return refuse("INVALID_REQUEST", `There is no operator ${id}. List them with tokens.list.`);
      if (address().rpId === undefined) return refuseNameless(address());
      const signed = await linkProof({ id, presence }, actor, parts);
      if ("refused" in signed) return signed;
      const facts = [{ type: "passkey.linked" as const, detail: { operatorId: id, name: operator.name, ...signed } }];
      const onTrust = signed.presence === undefined;
      const made = await keepTicket({ store, nowMs: clock.now() }, { operatorId: id, by: actor.id, onTrust, facts });
      if ("refused" in made) return made;
      const { fragment, expiresAtMs } = made;
      return { operator: { id, name: operator.name }, link: `${address().origin}/${fragment}`, expiresAtMs };
    },
    async "passkeys.revoke"({ credentialId }, { actor }) {
      try {
        const by = isAdmin(actor) ? { id: actor.id } : { id: actor.id, only: actor.id };
        const revoked = await passkeys.revoke(credentialId, by);
        return "refused" in revoked ? revoked : { passkey: revoked };
      } catch (error) {
        if (error instanceof StoreRefused) return { refused: error.refusal };
        throw error;
      }
    },
  };
}

type Linking = { id: OperatorId; presence: PresenceResponse | undefined };

/** The first passkey of all is taken on trust; whoever has only a token adds no other. */
async function linkProof(
  { id, presence: response }: Linking,
  actor: OperatorActor,
  { passkeys, presence }: PasskeyMethodParts,
): Promise<{ presence?: PresenceProof } | Refused> {
  if (!(await passkeys.any())) return {};
  const subject = { approvalId: id, digest: "", decision: "enrol" };
  const proof = await provePresence({ subject, response }, actor, presence);
  return "refused" in proof ? proof : { presence: proof };
}
