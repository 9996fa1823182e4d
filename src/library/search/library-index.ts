/** The index of all plans: each entry is read anew from what is stored about its plan, so it can be made again any time. */
import { CHANGED_FILES, ChangedFiles } from "../../changes/protocol/state.ts";
import { Json } from "../../protocol/json.ts";
import type { PlanId, SessionId } from "../../protocol/ids.ts";
import {
  planRevision,
  PLAN,
  pageOf,
  plansOf,
  reviewOf,
  revisionsOf,
  toRevision,
} from "../../plan-mode/methods/plan-records.ts";
import { PlanProgress, type PlanRevision } from "../../plan-mode/protocol/plan.ts";
import type { PlanReview } from "../../plan-mode/methods/plan-records.ts";
import type { Documents } from "../../plugins/sdk.ts";
import { LibraryEntry } from "../protocol/library-entry.ts";
import { entryTerms, planEntry } from "./plan-entry.ts";

export type IndexedDocument = { key: string; version: number; body: Json };

/** The part of the store that finds documents by terms, by shape. */
export type SearchPort = {
  searchDocument(place: { owner: string; key: string }): Promise<IndexedDocument | undefined>;
  saveSearchDocument(change: {
    owner: string;
    key: string;
    atMs: number;
    expectedVersion: number;
    terms: readonly string[];
    body: Json;
  }): Promise<{ status: string; failure?: { message: string } }>;
  searchDocuments(query: {
    owner: string;
    terms: readonly { term: string; isPrefix?: boolean }[];
    cursor: string | null;
    limit: number;
  }): Promise<{ items: IndexedDocument[]; nextCursor: string | null }>;
};

/** What the session says now about a plan of it; undefined where the session is gone. */
export type PlanPlace = { agentId: string; pending: string | undefined };

export type IndexPorts = {
  documents: Documents;
  search: SearchPort;
  placeOf(sessionId: SessionId): Promise<PlanPlace | undefined>;
  /** Files that file tools changed in a session since then. */
  touched(sessionId: SessionId, sinceMs: number): Promise<string[]>;
};

const INDEX_OWNER = "library";
/** Documents about the index itself, apart from what a search finds. */
const STATE_OWNER = "library-state";
/** Its number grows when entries of earlier versions lack something: all plans are then looked at once more. */
const BACKFILL = { owner: STATE_OWNER, key: "backfill-2" };
const CONFLICTS_MAX = 8;
const PAGE = 100;

export type LibraryIndex = {
  /**
   * The last plan of the session, with the revision before it; every plan of a session that is gone. `file`: what the
   * newest was written to.
   */
  indexSession(sessionId: SessionId, file?: string): Promise<void>;
  /** As it is now: what stands in the index follows a moment later. Undefined: there is no such plan. */
  entry(planId: PlanId): Promise<LibraryEntry | undefined>;
  /** Undefined: there is no such plan. */
  change(
    planId: PlanId,
    added: (before: LibraryEntry["added"]) => LibraryEntry["added"],
  ): Promise<LibraryEntry | undefined>;
  find(
    terms: readonly { term: string; isPrefix: boolean }[],
    page: { cursor: string | null; limit: number },
  ): Promise<{ plans: LibraryEntry[]; nextCursor: string | null }>;
  /** Reads the plans that an earlier version stored, once; true while it is not done. */
  backfill(): Promise<boolean>;
};

/** `isNewest`: of its cycle; absent where that is not known yet. */
type Kept = { isNewest?: boolean; file?: string; added?: (before: LibraryEntry["added"]) => LibraryEntry["added"] };

export function createLibraryIndex(ports: IndexPorts): LibraryIndex {
  const { documents, search } = ports;
  let isFilled = false;
  let filling: Promise<void> | undefined;

  async function fill(): Promise<void> {
    let cursor: string | null = null;
    do {
      const page = pageOf(await documents.list({ kind: PLAN, cursor, limit: PAGE }));
      for (const item of page.items) {
        const plan = toRevision(item);
        if (await isStale(plan, ports)) await indexPlan(plan, {}, ports);
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    await search.saveSearchDocument({ ...BACKFILL, atMs: 0, expectedVersion: 0, terms: [], body: { done: true } });
    isFilled = true;
  }

  return {
    async indexSession(sessionId, file) {
      if ((await ports.placeOf(sessionId)) === undefined) return indexDeleted(sessionId, file, ports);
      const revisions = await revisionsOf(documents, { sessionId });
      const newest = revisions.at(-1);
      // the one before may be superseded by the newest; those before it are as they were
      for (const revision of revisions.slice(-2)) {
        const isNewest = revision === newest;
        await indexPlan(revision, isNewest && file !== undefined ? { file, isNewest } : { isNewest }, ports);
      }
    },
    async entry(planId) {
      const plan = await planRevision(documents, planId);
      if (plan === undefined) return undefined;
      return entryFrom(await recordOf(plan, {}, ports), (await stored(search, planId))?.entry, {});
    },
    async change(planId, added) {
      const plan = await planRevision(documents, planId);
      return plan === undefined ? undefined : indexPlan(plan, { added }, ports);
    },
    async find(terms, page) {
      const { items, nextCursor } = await search.searchDocuments({ owner: INDEX_OWNER, terms, ...page });
      return { plans: items.map(({ body }) => LibraryEntry.parse(body)), nextCursor };
    },
    async backfill() {
      isFilled ||= (await search.searchDocument(BACKFILL)) !== undefined;
      if (!isFilled) filling ??= fill().finally(() => void (filling = undefined));
      filling?.catch(() => undefined); // tried again at the next search
      return !isFilled;
    },
  };
}

/** It is missing, or its session is gone and it does not say so. */
async function isStale({ planId, sessionId }: PlanRevision, { search, placeOf }: IndexPorts): Promise<boolean> {
  const entry = (await stored(search, planId))?.entry;
  return entry === undefined || (entry.sessionDeleted === undefined && (await placeOf(sessionId)) === undefined);
}

async function indexDeleted(sessionId: SessionId, file: string | undefined, ports: IndexPorts): Promise<void> {
  const plans = await plansOf(ports.documents, sessionId);
  for (const [index, plan] of plans.entries()) {
    const isNewest = plan.cycleId !== plans[index - 1]?.cycleId; // cycles follow each other, newest first
    await indexPlan(plan, index === 0 && file !== undefined ? { file, isNewest } : { isNewest }, ports);
  }
}

async function stored(
  search: SearchPort,
  planId: string,
): Promise<{ entry: LibraryEntry; version: number } | undefined> {
  const found = await search.searchDocument({ owner: INDEX_OWNER, key: planId });
  return found === undefined ? undefined : { entry: LibraryEntry.parse(found.body), version: found.version };
}

/** Of two who write at once the second reads what the first wrote, and adds to it. */
async function indexPlan(plan: PlanRevision, kept: Kept, ports: IndexPorts): Promise<LibraryEntry> {
  const record = await recordOf(plan, kept, ports);
  for (let attempt = 0; attempt < CONFLICTS_MAX; attempt++) {
    const before = await stored(ports.search, plan.planId);
    const entry = entryFrom(record, before?.entry, kept);
    const saved = await ports.search.saveSearchDocument({
      owner: INDEX_OWNER,
      key: plan.planId,
      atMs: plan.submittedAtMs,
      expectedVersion: before?.version ?? 0,
      terms: entryTerms(entry, plan),
      body: Json.parse(entry),
    });
    if (saved.status === "committed") return entry;
    if (saved.status !== "conflict") throw new Error(saved.failure?.message ?? saved.status);
  }
  throw new Error(`${plan.planId} was indexed by others at the same time, ${CONFLICTS_MAX} times in a row`);
}

type ReadRecord = Awaited<ReturnType<typeof recordOf>>;

const entryFrom = (record: ReadRecord, before: LibraryEntry | undefined, kept: Kept): LibraryEntry =>
  planEntry({ ...record, ...keptOf(before, kept), ...lastKnown(before, record) });

/** What stands in the entry alone: the name of its file, and what people added. */
function keptOf(before: LibraryEntry | undefined, { file, added }: Kept): Pick<LibraryEntry, "file" | "added"> {
  const own = before?.added ?? { tags: [], links: [] };
  return { file: file ?? before?.file ?? null, added: added?.(own) ?? own };
}

/** What a session that is gone says no more is kept as it was. */
const lastKnown = (before: LibraryEntry | undefined, { isSessionDeleted, touched }: Gone) =>
  before === undefined || !isSessionDeleted ? {} : { agentId: before.agentId, touched: [...touched, ...before.files] };
type Gone = { isSessionDeleted: boolean; touched: readonly string[] };

async function recordOf(plan: PlanRevision, { isNewest }: Kept, ports: IndexPorts) {
  const { documents, placeOf } = ports;
  const { planId, sessionId } = plan;
  const newest = isNewest === undefined ? (await revisionsOf(documents, plan)).at(-1)?.planId : undefined;
  const { notes, decisions }: PlanReview = await reviewOf(documents, plan);
  const place = await placeOf(sessionId);
  const ended = await documents.get("plan-progress", planId);
  const progress = ended === undefined ? undefined : PlanProgress.parse(ended.body).steps;
  return {
    plan,
    agentId: place?.agentId ?? "",
    isNewest: isNewest ?? newest === planId,
    isPending: place?.pending === planId,
    isSessionDeleted: place === undefined,
    notes,
    decisions,
    ...(progress === undefined ? {} : { progress }),
    touched: progress === undefined ? [] : await touchedBy(plan, ports),
  };
}

/** By file tools, and by whatever else its calls ran, where that was recorded. */
async function touchedBy(
  { sessionId, cycleId, submittedAtMs }: PlanRevision,
  { documents, touched }: IndexPorts,
): Promise<string[]> {
  const listed = await documents.get(CHANGED_FILES, cycleId);
  const changed = listed === undefined ? [] : ChangedFiles.parse(listed.body).paths;
  return [...(await touched(sessionId, submittedAtMs)), ...changed];
}
