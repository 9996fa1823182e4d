/** The way back for whoever lost their last passkey: on the store itself, and in the audit log for good. */
import type { OwnFact } from "../../protocol/audit.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import type { Refused } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
import { storeRefusal } from "../methods/store-refusal.ts";
import { type EnrolmentLink, keepTicket } from "./enrolment.ts";
import { revokedFact } from "./passkeys.ts";

const BY = "recovery";

export type Recovered = EnrolmentLink & { operator: { id: OperatorId; name: string }; revoked: number };

export async function recoverOperator(
  { id, name }: { id: OperatorId; name: string },
  { store, nowMs }: { store: Store; nowMs: number },
): Promise<Recovered | Refused> {
  const all = await store.passkeys();
  const own = all.filter(({ passkey }) => passkey.operatorId === id && passkey.revokedAtMs === null);
  for (const { passkey, version } of own) {
    const audit = { atMs: nowMs, actor: BY, facts: [revokedFact(passkey)] };
    const change = { do: "save" as const, passkey: { ...passkey, revokedAtMs: nowMs }, was: version };
    const refused = storeRefusal(await store.changePresence(change, audit));
    if (refused !== undefined) return refused;
  }
  const fact: OwnFact = { type: "passkey.recovered", detail: { operatorId: id, name, revoked: own.length } };
  const made = await keepTicket({ store, nowMs }, { operatorId: id, by: BY, onTrust: false, facts: [fact] });
  return "refused" in made ? made : { ...made, operator: { id, name }, revoked: own.length };
}
