/** The port through which signatures of passkeys are verified and asked for. */
import type { OperatorActor } from "../plugins/api/controls.ts";
import type { PresenceProof, PresenceResponse } from "../protocol/presence.ts";
import { localized } from "../protocol/localized/localized-text.ts";
import { type Refusal, refuse, type Refused } from "../protocol/refusal.ts";

export type PresencePort = {
  /** Uses the signature's challenge up, whatever the answer is. */
  verify(response: PresenceResponse, actor: OperatorActor): Promise<PresenceProof | Refused>;
  /** Completes a refusal for want of a passkey: the challenge for a browser, the link to the page for everybody else. */
  ask(refusal: Refusal, by: { actor: OperatorActor; onChannel?: true }): Promise<Refusal>;
};

/** Where no passkeys are kept none is taken. */
export const noPresence: PresencePort = {
  verify: async () => refuse("PRESENCE_INVALID", localized("presenceUsed")),
  ask: async (refusal) => refusal,
};
