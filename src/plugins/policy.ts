/** What a plugin's tool policy is asked, and what it can answer. */
import type { GatedCall } from "../core/slice.ts";
import type { Confinement } from "../protocol/calls/confinement.ts";
import type { GateRefusal } from "../protocol/gate.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Session, SliceGrant } from "../protocol/session.ts";

/** One call before the gate, with the session as it is stored at this moment. */
export type PolicyQuestion = {
  call: GatedCall & { callId: string; args: JsonObject };
  session: Session;
  /** Settings of every slice, resolved for this session. */
  settings: Readonly<Record<string, unknown>>;
  /** Digest of where, with which environment and as which agent it would run; absent where nothing of it is known. */
  within?(): string;
};

/** A command of a slice that commits together with a refusal: a session that plans first, a person who is asked. */
export type SliceOrder = { slice: string; command: JsonObject };

export type PolicyVerdict =
  /** `grant` is a one-off permission that the call relies on: its claim spends it, and without it there is no claim. */
  // `under` names what else allows the call, outside its own session: it is kept with the claim.
  // `confine`: it may change no more than each of these allows.
  | { verdict: "allow"; grant?: SliceGrant; under?: JsonObject; confine?: readonly Confinement[] }
  /** `by`: who refused, where this policy only passes on the refusal of another; absent: the policy itself. */
  | { verdict: "block"; refusal: GateRefusal; by?: string; also?: SliceOrder }
  /** A person must say yes to exactly this call, once. A reading call, for which there is no such yes, is refused. */
  | { verdict: "ask"; reason: string }
  /** Other arguments: the call is judged again from the start with them, and they are what is shown, hashed and run. */
  | { verdict: "rewrite"; args: JsonObject; reason: string };

/** What the permission prompt is asked about a call that the trusted policies let pass. */
export type PermissionQuestion = PolicyQuestion & {
  /** What the trusted policies allowed it by. */
  allowed: { grant?: SliceGrant };
  /** A hook wants a person to look at it first. */
  hook?: { reason: string };
};

/** The last stage before the claim: may this call run now, or is a person asked first? One that throws blocks. */
export type PermissionPrompt = {
  id: string;
  description: string;
  evaluate(question: PermissionQuestion): PolicyVerdict | Promise<PolicyVerdict>;
};

/** Runs before ordinary hooks. The first block wins; a policy that throws blocks. */
export type TrustedToolPolicy = {
  id: string;
  description: string;
  /**
   * Asked once more between the committed claim of a mutating call and its start, because what it looks at lies outside
   * the transaction of the claim.
   */
  afterClaim?: boolean;
  evaluate(question: PolicyQuestion): PolicyVerdict | Promise<PolicyVerdict>;
};
