/** Notes, comparisons and readers of plans. */
import { z } from "zod";
import type { Engine } from "../../engine/engine.ts";
import type { MethodTable } from "../../http/method-table.ts";
import { comparePlans } from "../../plan-mode/machine/compare/compare-plans.ts";
import { PLAN_MODE_SLICE } from "../../plan-mode/machine/slice.ts";
import type { ParsedParamsOf } from "../../protocol/methods.ts";
import type { PlanRevision, PlanStep } from "../../protocol/plan.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
import { exportPlan } from "./export-plan.ts";
import { notesOn } from "./notes-on.ts";
import { PLAN, planRevision, reviewOf, revisionsOf, toRevision } from "./plan-records.ts";

type ReviewMethods = Pick<MethodTable, "plans.notes" | "plans.diff" | "plans.export" | "plans.reading">;

export function reviewMethods({ engine, store }: { engine: Engine; store: Store }): ReviewMethods {
  return {
    async "plans.notes"({ planId }) {
      const plan = await planRevision(store, planId);
      if (plan === undefined) return NO_PLAN;
      const { notes, decisions } = await reviewOf(store, plan);
      return { notes: notesOn(plan, notes), decisions };
    },
    async "plans.diff"(params) {
      const sides = await sidesOf(params, store);
      if ("refused" in sides) return sides;
      const { from, to } = sides;
      if (from === undefined) return { diff: null };
      const { notes } = from.cycleId === to.cycleId ? await reviewOf(store, from) : { notes: [] };
      return { diff: comparePlans(from, to, notesOn(from, notes)) };
    },
    async "plans.export"({ planId, format }) {
      const plan = await planRevision(store, planId);
      return plan === undefined ? NO_PLAN : exportPlan(store, plan, format);
    },
    async "plans.reading"({ sessionId, approvalId }, { actor }) {
      const command = {
        type: "slice.apply",
        slice: PLAN_MODE_SLICE,
        command: { type: "reading", approvalId },
      } as const;
      const outcome = await engine.dispatch(sessionId, command, { actor });
      if (!outcome.ok) return { refused: outcome.refusal };
      const { deadline_at_ms, paused_until_ms } = Paused.parse(outcome.reply);
      return { deadlineAtMs: deadline_at_ms, pausedUntilMs: paused_until_ms };
    },
  };
}

const Paused = z.object({ deadline_at_ms: z.int(), paused_until_ms: z.int().nullable() });

const NO_PLAN = refuse("PLAN_NOT_FOUND", "There is no such plan. List them with plans.list.");

type Sides = { from: PlanRevision | undefined; to: PlanRevision };

/** The two that are named; else the named or newest one, and the one before it. */
async function sidesOf(params: ParsedParamsOf<"plans.diff">, store: Store): Promise<Sides | Refused> {
  const known = await someRevision(params, store);
  if (known === undefined) return NO_PLAN;
  if (params.steps !== undefined) return { from: known, to: withSteps(known, params.steps) };
  const revisions = await revisionsOf(store, known);
  const find = async (ref: string | number): Promise<PlanRevision | undefined> =>
    revisions.find(({ revision, planId }) => revision === ref || planId === ref) ??
    (typeof ref === "string" ? toOptional(await store.artifact(PLAN, ref)) : undefined);
  const to = params.to === undefined ? newestOf(params, { known, revisions }) : await find(params.to);
  if (to === undefined) return NO_PLAN;
  if (params.from === undefined) return { from: revisions.findLast(({ revision }) => revision < to.revision), to };
  const from = await find(params.from);
  return from === undefined ? NO_PLAN : { from, to };
}

/** As it would be; what its author said about notes was said of the stored one. */
const withSteps = ({ addresses: _said, ...plan }: PlanRevision, steps: PlanStep[]): PlanRevision => ({
  ...plan,
  body: { ...plan.body, plan: steps },
});

const toOptional = (found: Parameters<typeof toRevision>[0] | undefined) =>
  found === undefined ? undefined : toRevision(found);

/** Who names a plan means that one; who names a session means its last. */
const newestOf = (
  { planId }: ParsedParamsOf<"plans.diff">,
  { known, revisions }: { known: PlanRevision; revisions: readonly PlanRevision[] },
): PlanRevision | undefined => (planId === undefined ? revisions.at(-1) : known);

async function someRevision(
  { planId, sessionId }: ParsedParamsOf<"plans.diff">,
  store: Store,
): Promise<PlanRevision | undefined> {
  if (planId !== undefined) return planRevision(store, planId);
  if (sessionId === undefined) return undefined;
  const { items } = await store.artifacts({ kind: PLAN, sessionId, cursor: null, limit: 1 });
  return toOptional(items[0]);
}
