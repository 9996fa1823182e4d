/** Revisions of plans and what was said about them, read back from the store. */
import { REVIEW_RECORD } from "../../plan-mode/machine/note/effects.ts";
import { evolveReview, NO_REVIEW } from "../../plan-mode/machine/note/evolve.ts";
import type { CycleId, PlanId, SessionId } from "../../protocol/ids.ts";
import { PlanRevision } from "../../protocol/plan.ts";
import { type Note, type PlanDecided, ReviewRecord } from "../../protocol/review/review.ts";
import type { Store, StoredArtifact } from "../../store/store.ts";

export const PLAN = "plan";
const PAGE = 100;
/** Of one cycle; a plan that was revised more often than this shows its newest revisions. */
const REVISIONS_MAX = 1_000;
const RECORDS_MAX = 10_000;

const toRecord = ({ body }: StoredArtifact): ReviewRecord => ReviewRecord.parse(body);
export const toRevision = (artifact: StoredArtifact): PlanRevision => PlanRevision.parse(artifact.body);

export async function planRevision(store: Store, planId: PlanId): Promise<PlanRevision | undefined> {
  const found = await store.artifact(PLAN, planId);
  return found === undefined ? undefined : toRevision(found);
}

type OfCycle = { sessionId: SessionId; cycleId: CycleId };

/** Oldest first. */
export async function revisionsOf(store: Store, { sessionId, cycleId }: OfCycle): Promise<PlanRevision[]> {
  const found: PlanRevision[] = [];
  for await (const revision of newestFirst(store, { kind: PLAN, sessionId, read: toRevision })) {
    if (revision.cycleId === cycleId) found.push(revision);
    else if (found.length > 0) break; // cycles follow each other, never mix
    if (found.length >= REVISIONS_MAX) break;
  }
  return found.toReversed();
}

export type PlanReview = { notes: Note[]; decisions: PlanDecided[] };

/** Every note of the cycle, resolved ones too, and every decision; notes stand where they did on this revision. */
export async function reviewOf(
  store: Store,
  { sessionId, cycleId, revision }: OfCycle & { revision: number },
): Promise<PlanReview> {
  const facts: ReviewRecord["fact"][] = [];
  for await (const record of newestFirst(store, { kind: REVIEW_RECORD, sessionId, read: toRecord })) {
    if (record.cycleId === cycleId) facts.push(record.fact);
    else if (facts.length > 0) break;
    if (facts.length >= RECORDS_MAX) break;
  }
  let review = NO_REVIEW;
  const decisions: PlanDecided[] = [];
  for (const fact of facts.toReversed()) {
    if (fact.type === "decided") decisions.push(fact);
    else if (fact.type === "notes.moved" && fact.revision > revision) continue;
    else review = evolveReview(review, fact);
  }
  return { notes: review.notes, decisions };
}

type Listed<Item> = { kind: string; sessionId: SessionId; read(artifact: StoredArtifact): Item };

async function* newestFirst<Item>(store: Store, { kind, sessionId, read }: Listed<Item>): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const page = await store.artifacts({ kind, sessionId, cursor, limit: PAGE });
    yield* page.items.map(read);
    cursor = page.nextCursor;
  } while (cursor !== null);
}
