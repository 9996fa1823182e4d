/** The trusted policy for runs that nobody attends (GA-14). The claim asks the same again, in its transaction. */
import type { TrustedToolPolicy } from "../plugins/policy.ts";
import { refuseHeld, type SliceRegistry } from "../plugins/sdk.ts";
import type { Clock } from "../plugins/sessions.ts";

export type HeldRunParts = { slices: SliceRegistry; clock: Pick<Clock, "now"> };

/**
 * Of the session's own turn, so it is not asked of the sessions above: those may have ended the turn in which they
 * ordered this work, and whether that turn was held came along with the order.
 */
export function heldRunPolicy({ slices, clock }: HeldRunParts): TrustedToolPolicy {
  return {
    id: "automation/held",
    description: "A run that no person started only reads.",
    evaluate({ call, session, settings }) {
      const actor = { kind: "agent" as const, sessionId: session.id };
      const context = { nowMs: clock.now(), actor, fresh: [], settings };
      const refusal = refuseHeld(session, call, { context, slices });
      return refusal === undefined ? { verdict: "allow" } : { verdict: "block", refusal };
    },
  };
}
