import type { MethodTable } from "../../http/method-table.ts";
import { PlanRevision } from "../../protocol/plan.ts";
import { refuse } from "../../protocol/refusal.ts";
import type { Store, StoredArtifact } from "../../store/store.ts";
import { listed } from "./listed.ts";

const PLAN = "plan";
const PAGE = 100;
/** Of one cycle; a plan that was revised more often than this shows its newest revisions. */
const REVISIONS_MAX = 1_000;

type PlanMethods = Pick<MethodTable, Extract<keyof MethodTable, `plans.${string}`>>;

export function planMethods({ store }: { store: Store }): PlanMethods {
  return {
    async "plans.list"({ sessionId, cursor, limit }) {
      return listed(async () => {
        const asked = { kind: PLAN, cursor, limit, ...(sessionId === undefined ? {} : { sessionId }) };
        const { items, nextCursor } = await store.artifacts(asked);
        return { plans: items.map(toRevision), nextCursor };
      });
    },
    async "plans.get"({ planId }) {
      const found = await store.artifact(PLAN, planId);
      return found === undefined ? NO_PLAN : { plan: toRevision(found) };
    },
    async "plans.revisions"({ planId }) {
      const found = await store.artifact(PLAN, planId);
      if (found === undefined) return NO_PLAN;
      return { plans: await revisionsOf(store, toRevision(found)) };
    },
  };
}

const NO_PLAN = refuse("PLAN_NOT_FOUND", "There is no such plan. List them with plans.list.");

async function revisionsOf(store: Store, { sessionId, cycleId }: PlanRevision): Promise<PlanRevision[]> {
  const found: PlanRevision[] = [];
  let cursor: string | null = null;
  do {
    const page = await store.artifacts({ kind: PLAN, sessionId, cursor, limit: PAGE });
    const revisions = page.items.map(toRevision);
    found.push(...revisions.filter((revision) => revision.cycleId === cycleId));
    const isPast = found.length > 0 && revisions.at(-1)?.cycleId !== cycleId; // cycles follow each other, never mix
    cursor = isPast ? null : page.nextCursor;
  } while (cursor !== null && found.length < REVISIONS_MAX);
  return found.toReversed();
}

const toRevision = (artifact: StoredArtifact): PlanRevision => PlanRevision.parse(artifact.body);
