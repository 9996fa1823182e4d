/** Notes, comparisons and readers of plans. */
import { z } from "zod";
import { comparePlans } from "../machine/compare/compare-plans.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import type { PLAN_METHODS, PlanParamsOf } from "../protocol/plan-methods.ts";
import type { PlanRevision, PlanStep } from "../protocol/plan.ts";
import type { Refused } from "../../protocol/refusal.ts";
import { refuse } from "../protocol/refuse.ts";
import type { Answers, Documents } from "../../plugins/sdk.ts";
import { exportPlan } from "./export-plan.ts";
import { notesOn } from "./notes-on.ts";
import { type PlanReading, progressOf } from "./plan-progress.ts";
import { pageOf, PLAN, planRevision, reviewOf, revisionsOf, toRevision } from "./plan-records.ts";

type ReviewMethods = Pick<
  Answers<typeof PLAN_METHODS>,
  "plans.notes" | "plans.progress" | "plans.diff" | "plans.export" | "plans.reading"
>;

export function reviewMethods(reading: PlanReading): ReviewMethods {
  const { documents } = reading;
  return {
    async "plans.notes"({ planId }) {
      const plan = await planRevision(documents, planId);
      if (plan === undefined) return NO_PLAN;
      const { notes, decisions } = await reviewOf(documents, plan);
      return { notes: notesOn(plan, notes), decisions };
    },
    async "plans.progress"({ planId }) {
      const plan = await planRevision(documents, planId);
      if (plan === undefined) return NO_PLAN;
      const progress = await progressOf(plan, reading);
      return { progress: progress === undefined ? null : { ...progress, planId } };
    },
    async "plans.diff"(params) {
      const sides = await sidesOf(params, documents);
      if ("refused" in sides) return sides;
      const { from, to } = sides;
      if (from === undefined) return { diff: null };
      const { notes } = from.cycleId === to.cycleId ? await reviewOf(documents, from) : { notes: [] };
      return { diff: comparePlans(from, to, notesOn(from, notes)) };
    },
    async "plans.export"({ planId, format }) {
      const plan = await planRevision(documents, planId);
      return plan === undefined ? NO_PLAN : exportPlan(plan, format, reading);
    },
    async "plans.reading"({ sessionId, approvalId }, call) {
      const command = { type: "reading", approvalId };
      const outcome = await call.apply(sessionId, { slice: PLAN_MODE_SLICE, command });
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
async function sidesOf(params: PlanParamsOf<"plans.diff">, documents: Documents): Promise<Sides | Refused> {
  const known = await someRevision(params, documents);
  if (known === undefined) return NO_PLAN;
  if (params.steps !== undefined) return { from: known, to: withSteps(known, params.steps) };
  const revisions = await revisionsOf(documents, known);
  const find = async (ref: string | number): Promise<PlanRevision | undefined> =>
    revisions.find(({ revision, planId }) => revision === ref || planId === ref) ??
    (typeof ref === "string" ? toOptional(await documents.get(PLAN, ref)) : undefined);
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
  { planId }: PlanParamsOf<"plans.diff">,
  { known, revisions }: { known: PlanRevision; revisions: readonly PlanRevision[] },
): PlanRevision | undefined => (planId === undefined ? revisions.at(-1) : known);

async function someRevision(
  { planId, sessionId }: PlanParamsOf<"plans.diff">,
  documents: Documents,
): Promise<PlanRevision | undefined> {
  if (planId !== undefined) return planRevision(documents, planId);
  if (sessionId === undefined) return undefined;
  const { items } = pageOf(await documents.list({ kind: PLAN, sessionId, cursor: null, limit: 1 }));
  return toOptional(items[0]);
}
