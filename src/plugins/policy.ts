import type { GatedCall } from "../core/slice.ts";
import type { GateRefusal } from "../protocol/gate.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";

/** One call before the gate, with the session as it is stored at this moment. */
export type PolicyQuestion = { call: GatedCall & { callId: string; args: JsonObject }; session: Session };
export type PolicyVerdict = { verdict: "allow" } | { verdict: "block"; refusal: GateRefusal };

/** Runs before ordinary hooks. The first block wins; a policy that throws blocks. */
export type TrustedToolPolicy = {
  id: string;
  description: string;
  evaluate(question: PolicyQuestion): PolicyVerdict | Promise<PolicyVerdict>;
};
