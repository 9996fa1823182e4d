import type { Clock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MethodTable } from "../../http/method-table.ts";
import { refuse } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
import { reviewMethods } from "../review/review-methods.ts";
import { sharingMethods } from "../review/sharing-methods.ts";
import { PLAN, planRevision, revisionsOf, toRevision } from "../review/plan-records.ts";
import { listed } from "./listed.ts";

type PlanMethods = Pick<MethodTable, Extract<keyof MethodTable, `plans.${string}`>>;

export function planMethods(parts: { engine: Engine; store: Store; clock: Clock }): PlanMethods {
  const { store } = parts;
  return {
    async "plans.list"({ sessionId, cursor, limit }) {
      return listed(async () => {
        const asked = { kind: PLAN, cursor, limit, ...(sessionId === undefined ? {} : { sessionId }) };
        const { items, nextCursor } = await store.artifacts(asked);
        return { plans: items.map(toRevision), nextCursor };
      });
    },
    async "plans.get"({ planId }) {
      const plan = await planRevision(store, planId);
      return plan === undefined ? NO_PLAN : { plan };
    },
    async "plans.revisions"({ planId }) {
      const plan = await planRevision(store, planId);
      return plan === undefined ? NO_PLAN : { plans: await revisionsOf(store, plan) };
    },
    ...reviewMethods(parts),
    ...sharingMethods(parts),
  };
}

const NO_PLAN = refuse("PLAN_NOT_FOUND", "There is no such plan. List them with plans.list.");
