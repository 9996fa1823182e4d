/** How far a plan was carried out: as its session stands now, or as it stood when the plan's cycle ended. */
import { seenIn } from "../machine/evidence/refuse-unproven.ts";
import { PLAN_PROGRESS } from "../machine/plan/ended-effects.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { PlanProgress, type PlanRevision } from "../protocol/plan.ts";
import { PlanModeState } from "../protocol/state.ts";
import type { Documents, ReadSession } from "../../plugins/sdk.ts";

/** Where revisions and sessions are read. */
export type PlanReading = { documents: Documents; readSession: ReadSession };

/** Undefined for a plan that was never carried out: it stands as it was submitted. */
export async function progressOf(
  { planId, sessionId }: Pick<PlanRevision, "planId" | "sessionId">,
  { documents, readSession }: PlanReading,
): Promise<Omit<PlanProgress, "planId"> | undefined> {
  const kept = await documents.get(PLAN_PROGRESS, planId);
  if (kept !== undefined) return withChanges(PlanProgress.parse(kept.body));
  const stored = (await readSession(sessionId))?.slices[PLAN_MODE_SLICE];
  if (stored === undefined) return undefined;
  const { now } = PlanModeState.parse(stored);
  if (now.phase !== "executing" || now.submission.planId !== planId) return undefined;
  return { steps: now.steps, ...seenIn(now).seen };
}

/** Before it was kept how much was changed, the newest evidence is the best that is known of it. */
function withChanges(progress: PlanProgress): PlanProgress {
  const { evidence, changes } = progress;
  const newest = evidence?.toSorted((one, other) => one.after - other.after).at(-1);
  if (changes !== undefined || newest === undefined || newest.after === 0) return progress;
  return { ...progress, changes: { count: newest.after, atMs: newest.atMs } };
}
