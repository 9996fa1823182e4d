/** Revisions of plans and what was said about them, read back from the store. */
import { REVIEW_RECORD } from "../machine/note/effects.ts";
import { evolveReview, NO_REVIEW } from "../machine/note/evolve.ts";
import type { CycleId, PlanId, SessionId } from "../../protocol/ids.ts";
import { PlanRevision } from "../protocol/plan.ts";
import { type Note, type PlanDecided, ReviewRecord } from "../protocol/review.ts";
import type { DocumentPage, Documents, Refused, StoredDocument } from "../../plugins/sdk.ts";

export const PLAN = "plan";
const PAGE = 100;
/** Of one cycle or one session; what was revised more often than this shows its newest revisions. */
const REVISIONS_MAX = 1_000;
const RECORDS_MAX = 10_000;

const toRecord = ({ body }: StoredDocument): ReviewRecord => ReviewRecord.parse(body);
export const toRevision = (artifact: StoredDocument): PlanRevision => PlanRevision.parse(artifact.body);

export async function planRevision(documents: Documents, planId: PlanId): Promise<PlanRevision | undefined> {
  const found = await documents.get(PLAN, planId);
  return found === undefined ? undefined : toRevision(found);
}

type OfCycle = { sessionId: SessionId; cycleId: CycleId };

/** Oldest first. Without a cycle, those of the session's last one. */
export async function revisionsOf(
  documents: Documents,
  { sessionId, cycleId }: Pick<OfCycle, "sessionId"> & Partial<OfCycle>,
): Promise<PlanRevision[]> {
  const found: PlanRevision[] = [];
  for await (const revision of newestFirst(documents, { kind: PLAN, sessionId, read: toRevision })) {
    if (revision.cycleId === (cycleId ?? found[0]?.cycleId ?? revision.cycleId)) found.push(revision);
    else if (found.length > 0) break; // cycles follow each other, never mix
    if (found.length >= REVISIONS_MAX) break;
  }
  return found.toReversed();
}

/** Every plan of a session, of all its cycles, newest first. */
export async function plansOf(documents: Documents, sessionId: SessionId): Promise<PlanRevision[]> {
  const found: PlanRevision[] = [];
  for await (const revision of newestFirst(documents, { kind: PLAN, sessionId, read: toRevision })) {
    if (found.push(revision) >= REVISIONS_MAX) break;
  }
  return found;
}

export type PlanReview = { notes: Note[]; decisions: PlanDecided[] };

/** Every note of the cycle, resolved ones too, and every decision; notes stand where they did on this revision. */
export async function reviewOf(
  documents: Documents,
  { sessionId, cycleId, revision }: OfCycle & { revision: number },
): Promise<PlanReview> {
  const facts: ReviewRecord["fact"][] = [];
  for await (const record of newestFirst(documents, { kind: REVIEW_RECORD, sessionId, read: toRecord })) {
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

/** A page that was asked for with a cursor of ours, or without one, is never refused. */
export function pageOf(page: DocumentPage | Refused): DocumentPage {
  if ("refused" in page) throw new Error(page.refused.message);
  return page;
}

type Listed<Item> = { kind: string; sessionId: SessionId; read(artifact: StoredDocument): Item };

async function* newestFirst<Item>(documents: Documents, { kind, sessionId, read }: Listed<Item>): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const page: DocumentPage = pageOf(await documents.list({ kind, sessionId, cursor, limit: PAGE }));
    for (const item of page.items) yield read(item); // one by one: whoever stops early reads no more
    cursor = page.nextCursor;
  } while (cursor !== null);
}
