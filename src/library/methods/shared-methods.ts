/** `library.sharedPlans`, `library.sharedPlan` and `library.changeSharedPlan`: plans that several sessions share. */
import { refuse } from "../../plan-mode/protocol/refuse.ts";
import type { Answers, Refused } from "../../plugins/sdk.ts";
import { asIs } from "../../protocol/localized/localized-text.ts";
import type { LIBRARY_METHODS } from "../protocol/library-methods.ts";
import { LockError } from "../plan-store/plan-lock.ts";
import { SharedPlanError, type SharedPlans } from "../plan-store/shared-plans.ts";

type Names = "library.sharedPlans" | "library.sharedPlan" | "library.changeSharedPlan";

export const sharedMethods = (shared: () => SharedPlans): Pick<Answers<typeof LIBRARY_METHODS>, Names> => ({
  "library.sharedPlans": () => orRefused(() => shared().list()),
  "library.sharedPlan": ({ namespace }) => orRefused(async () => ({ plan: (await shared().read(namespace)) ?? null })),
  "library.changeSharedPlan": ({ namespace, steps, replace }, { actor, nowMs }) =>
    orRefused(async () => ({
      plan: await shared().change(namespace, { steps, replace, by: actor.name, atMs: nowMs }),
    })),
});

/** What is wrong with a name or a file is an answer; what the disk refuses is none of these, and is thrown on. */
async function orRefused<Result>(work: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SharedPlanError || error instanceof LockError)
      return refuse("INVALID_REQUEST", asIs(error.message).text);
    throw error;
  }
}
