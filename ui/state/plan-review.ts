/**
 * A session's plan under review: all revisions of its cycle, the one that is looked at, its notes and what was decided.
 * Revisions never change, notes do: they are read again whenever the session's state says so. Where no plan lies before
 * people now, it is the last one that did.
 */
import type { PlanId, SessionId } from "../../src/protocol/ids.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { PlanProgress, PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import type { Note, PlanDecided } from "../../src/plan-mode/protocol/review.ts";
import type { Calling } from "./calling.ts";
import { type Cell, cell, type Readable } from "./cell.ts";
import type { OpenSession } from "./open-session.ts";

export type PlanReview =
  | { status: "loading" }
  | { status: "none" }
  | { status: "failed"; error: unknown }
  | ReadyReview;

export type ReadyReview = {
  status: "ready";
  /** Oldest first; never empty. */
  revisions: readonly PlanRevision[];
  shown: PlanRevision;
  /** As they stand on the shown one. */
  notes: readonly Note[];
  decisions: readonly PlanDecided[];
  /** How far the shown one was carried out; undefined where it never was. */
  progress: PlanProgress | undefined;
};

export type PlanReviewState = Readable<PlanReview> & {
  /** Looks at another revision, and stays there when new ones come. */
  show(planId: PlanId): void;
  again(): void;
  /** Resolves when what is being read now is there, or could not be read. */
  settled(): Promise<void>;
  close(): void;
};

export const latestOf = ({ revisions, shown }: ReadyReview): PlanRevision => revisions.at(-1) ?? shown;

/** Undefined in phases without one. */
export const submissionOf = (plan: PlanModeState | undefined) =>
  plan !== undefined && "submission" in plan.now ? plan.now.submission : undefined;

export function createPlanReview(
  from: Calling & { open: Readable<OpenSession> },
  sessionId: SessionId,
): PlanReviewState {
  const { call, open } = from;
  const state: Cell<PlanReview> = cell<PlanReview>({ status: "loading" });
  let wanted: PlanId | undefined; // undefined: the newest, whichever that is
  let run = 0;
  let seen = "";
  let reading = Promise.resolve();

  /** What an answer depends on; while it is the same there is nothing to read. */
  function look(): void {
    const now = open.get();
    if (now.status !== "ready" || now.id !== sessionId) return;
    const key = JSON.stringify([keyOf(now.plan), wanted]);
    if (key === seen) return;
    seen = key;
    reading = read(now.plan);
  }

  async function read(plan: PlanModeState | undefined): Promise<void> {
    run += 1;
    const own = run;
    try {
      const next = await readReview(call, { sessionId, plan, wanted, known: state.get() });
      if (own === run) state.set(next);
    } catch (error) {
      if (own !== run) return;
      seen = ""; // the next event tries again
      if (state.get().status !== "ready") state.set({ status: "failed", error });
    }
  }

  const stop = open.subscribe(look);
  look();
  return {
    get: state.get,
    subscribe: state.subscribe,
    show(planId) {
      const now = state.get();
      if (now.status !== "ready") return;
      const shown = now.revisions.find((item) => item.planId === planId);
      if (shown === undefined || shown === now.shown) return;
      wanted = shown === now.revisions.at(-1) ? undefined : planId;
      state.set({ ...now, shown, notes: [], progress: undefined });
      look();
    },
    again() {
      seen = "";
      look();
    },
    settled: () => reading,
    close() {
      stop();
      run += 1;
    },
  };
}

type Asked = { sessionId: SessionId; plan: PlanModeState | undefined; wanted: PlanId | undefined; known: PlanReview };

async function readReview(call: Calling["call"], asked: Asked): Promise<PlanReview> {
  const { sessionId, plan, wanted, known } = asked;
  const planId = submissionOf(plan)?.planId ?? (await call("plans.list", { sessionId, limit: 1 })).plans[0]?.planId;
  if (planId === undefined) return { status: "none" };
  const [revisions, reviewed] = await Promise.all([
    revisionsOf(call, { planId, plan, known }),
    readNotes(call, wanted ?? planId), // at once, for it is almost always the one
  ]);
  const shown = revisions.find((item) => item.planId === wanted) ?? revisions.at(-1);
  if (shown === undefined) return { status: "none" };
  const isOther = shown.planId !== (wanted ?? planId);
  const read = isOther ? await readNotes(call, shown.planId) : reviewed;
  return { status: "ready", revisions, shown, ...read };
}

async function readNotes(
  call: Calling["call"],
  planId: PlanId,
): Promise<Pick<ReadyReview, "notes" | "decisions" | "progress">> {
  const [{ notes, decisions }, { progress }] = await Promise.all([
    call("plans.notes", { planId }),
    call("plans.progress", { planId }),
  ]);
  return { notes, decisions, progress: progress ?? undefined };
}

type WantedRevisions = Pick<Asked, "plan" | "known"> & { planId: PlanId };

/** They never change, so only what is new is read: a long plan with all of its revisions is large. */
async function revisionsOf(
  call: Calling["call"],
  { planId, plan, known }: WantedRevisions,
): Promise<readonly PlanRevision[]> {
  if (known.status === "ready") {
    const latest = latestOf(known);
    if (latest.planId === planId) return known.revisions;
    const isNext = submissionOf(plan)?.revision === latest.revision + 1 && cycleOf(plan) === latest.cycleId;
    if (isNext) return [...known.revisions, (await call("plans.get", { planId })).plan];
  }
  return (await call("plans.revisions", { planId })).plans;
}

const cycleOf = (plan: PlanModeState | undefined) =>
  plan !== undefined && "cycle" in plan.now ? plan.now.cycle.id : undefined;

/** Everything of the session's state that notes, decisions and revisions follow from. */
function keyOf(plan: PlanModeState | undefined): unknown {
  if (plan === undefined) return null;
  const { now, review } = plan;
  const signatures = "signatures" in now ? (now.signatures?.length ?? 0) : 0;
  return [now.phase, submissionOf(plan)?.planId, signatures, review];
}
