/** The plan that a call works for: its own session's, or the nearest one above that carries one out in the same folder. */
import type { WitnessedCall } from "../../plugins/sdk.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { type ExecutingPlan, executingPlan } from "../machine/executing-plan.ts";

export type OwnedPlan = { owner: SessionId; plan: ExecutingPlan };

/** Undefined where nobody carries out a plan: then the changes are nobody's. */
export function planAbove({ session, above }: Pick<WitnessedCall, "session" | "above">): OwnedPlan | undefined {
  for (const here of [session, ...above]) {
    const plan = here.workspace === session.workspace ? executingPlan(here) : undefined;
    if (plan !== undefined) return { owner: here.id, plan };
  }
  return undefined;
}
