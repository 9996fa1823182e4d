/** Everything about one plan revision that does not change while it is looked at, read together. */
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import type { LibraryEntry, PlanOutcome } from "../../src/library/protocol/library-entry.ts";
import type { PlanProgress, PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import type { PlanDecided } from "../../src/plan-mode/protocol/review.ts";
import type { PlanId } from "../../src/protocol/ids.ts";
import type { Calling } from "../state/calling.ts";
import { textDigest } from "./text-digest.ts";

export type PlanRecord = {
  entry: LibraryEntry;
  plan: PlanRevision;
  /** All of its cycle, oldest first. */
  revisions: readonly PlanRevision[];
  /** About this very revision, oldest first. */
  decisions: readonly PlanDecided[];
  /** Another revision of the same cycle that was approved. */
  approvedElsewhere: PlanRevision | undefined;
  /** Null: it was never carried out. */
  progress: PlanProgress | null;
  /** Of the text as it came here; undefined where the browser computes none. */
  computed: string | undefined;
};

export async function readRecord({ call }: Calling, planId: PlanId): Promise<PlanRecord | "missing"> {
  try {
    const [{ plan: entry }, { plan }, { plans }, { decisions }, { progress }] = await Promise.all([
      call("library.get", { planId }),
      call("plans.get", { planId }),
      call("plans.revisions", { planId }),
      call("plans.notes", { planId }),
      call("plans.progress", { planId }),
    ]);
    const approved = decisions.find((one) => one.planId !== planId && APPROVING.has(one.decision))?.planId;
    return {
      entry,
      plan,
      revisions: plans,
      decisions: decisions.filter((one) => one.planId === planId),
      approvedElsewhere: plans.find((one) => one.planId === approved),
      progress,
      computed: await textDigest(plan),
    };
  } catch (error) {
    if (error instanceof HoldpointError && error.code === "PLAN_NOT_FOUND") return "missing";
    throw error;
  }
}

const APPROVING: ReadonlySet<string> = new Set<PlanDecided["decision"]>(["approved", "edited", "standing"]);
const RUNS: ReadonlySet<string> = new Set<PlanOutcome>(["approved", "standing", "completed"]);

/** What a cycle changed was changed by the revision that was carried out in it, and by no other. */
export const wasCarriedOut = ({ entry, progress }: Pick<PlanRecord, "entry" | "progress">): boolean =>
  progress !== null || RUNS.has(entry.outcome);
