/** What a plan that waits says about itself: how many steps it has and how many risks it names. Read once per plan. */
import type { PlanId } from "../../src/protocol/ids.ts";
import type { PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import type { App } from "../app/app.ts";
import { cell, type Readable } from "../state/cell.ts";
import type { WaitingSession } from "../state/waiting-list.ts";

export type PlanFacts = { planId: PlanId; steps: number; risks: number; jobs: number };

/** Beyond this a person filters first. */
const READ_MAX = 60;
const AT_ONCE_MAX = 4;

const factsOf = ({ planId, body }: Pick<PlanRevision, "planId" | "body">): PlanFacts => ({
  planId,
  steps: body.plan.length,
  risks: body.risks?.length ?? 0,
  jobs: body.jobs?.length ?? 0,
});

export type KnownFacts = Readable<ReadonlyMap<string, PlanFacts>> & {
  /** Reads those of the plans that are not known yet. */
  read(waiting: readonly WaitingSession[]): Promise<void>;
};

export function createPlanFacts(app: Pick<App, "call">): KnownFacts {
  const known = cell<ReadonlyMap<string, PlanFacts>>(new Map());
  const asked = new Set<string>();

  async function readOne({ id, waiting }: WaitingSession): Promise<void> {
    try {
      const { plans } = await app.call("plans.list", { sessionId: id, limit: 1 });
      const plan = plans.find(({ approvalId }) => approvalId === waiting.id);
      if (plan !== undefined) known.change((now) => new Map([...now, [waiting.id, factsOf(plan)]]));
    } catch {
      asked.delete(waiting.id); // the list works without it; it is asked again with the next change
    }
  }

  return {
    get: known.get,
    subscribe: known.subscribe,
    async read(waiting) {
      const wanted = waiting
        .filter(({ waiting: { kind, id } }) => kind === "approval" && !asked.has(id))
        .slice(0, READ_MAX);
      for (const { waiting: one } of wanted) asked.add(one.id);
      for (let at = 0; at < wanted.length; at += AT_ONCE_MAX)
        await Promise.all(wanted.slice(at, at + AT_ONCE_MAX).map(readOne));
    },
  };
}
