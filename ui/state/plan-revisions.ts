/** Plan revisions by id. One never changes, so it is read once. */
import type { PlanId } from "../../src/protocol/ids.ts";
import type { PlanRevision } from "../../src/protocol/plan.ts";
import type { Calling } from "./calling.ts";

const KEPT_MAX = 50;

export type PlanRevisions = { get(planId: PlanId): Promise<PlanRevision> };

export function createPlanRevisions({ call }: Calling): PlanRevisions {
  const kept = new Map<PlanId, Promise<PlanRevision>>();
  return {
    get(planId) {
      const known = kept.get(planId);
      if (known !== undefined) return known;
      const reading = call("plans.get", { planId }).then(({ plan }) => plan);
      reading.catch(() => kept.delete(planId)); // the next look tries again
      kept.set(planId, reading);
      for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - KEPT_MAX))) kept.delete(old);
      return reading;
    },
  };
}
