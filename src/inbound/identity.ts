/** Proven person → Actor, for surfaces outside of the gateway. Whoever was not paired is nobody. */
import type { OperatorActor } from "../plugins/api/controls.ts";
import { hasScope, type Scope } from "../protocol/actor.ts";
import type { OperatorId } from "../protocol/ids.ts";
import type { Store } from "../store/store.ts";

export type IdentityParts = {
  store: Pick<Store, "surfaceAccount">;
  /** The operator's present name and scopes; undefined when their token was revoked. */
  operator(id: OperatorId): Promise<{ id: OperatorId; name: string; scopes: Scope[] } | undefined>;
  /** Whether this operator counts on this account of ours; absent: every paired one does. */
  admits?(claim: SurfaceClaim, operator: { id: OperatorId; name: string }): boolean;
};

export type SurfaceClaim = { surface: string; account: string; person: { id: string; assured: boolean } };

export async function identify(claim: SurfaceClaim, parts: IdentityParts): Promise<OperatorActor | undefined> {
  const { surface, account, person } = claim;
  const known = await parts.store.surfaceAccount({ surface, account, personId: person.id });
  const operator = known === undefined ? undefined : await parts.operator(known.operatorId);
  if (operator === undefined || parts.admits?.(claim, operator) === false) return undefined;
  const { id, name } = operator;
  const scopes: Scope[] = person.assured ? operator.scopes : operator.scopes.length > 0 ? ["operator.read"] : [];
  return { kind: "operator", id, name, scopes, surface };
}

/** Whether a message of theirs would be taken. */
export async function mayWrite(claim: SurfaceClaim, parts: IdentityParts): Promise<boolean> {
  const actor = await identify(claim, parts);
  return actor !== undefined && hasScope(actor.scopes, "operator.write");
}
