/**
 * What `verifyChain` proves: no row was altered, removed, inserted or moved, and, because the head is kept apart from the
 * rows, none was cut off at the end; and no document that a row names, such as a plan, was altered or removed. What it cannot prove: who wrote the rows. Whoever controls the whole store can
 * recompute every digest and the head with them; a copy of the head's digest kept elsewhere closes that.
 */
import type { AuditRow, AuditVerdict } from "../../protocol/audit.ts";
import { type LocalizedText, localized } from "../../protocol/localized/localized-text.ts";
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import {
  type AuditHead,
  type ChainedDocument,
  chainFault,
  type Document,
  documentHash,
  EMPTY_CHAIN,
} from "./audit-chain.ts";

/** How many rows are checked before other work gets a turn. */
const VERIFY_PAGE = 200;

export type ChainSource = {
  rows(afterSeq: number, limit: number): Promise<AuditRow[]>;
  head(): Promise<AuditHead>;
  /** A document as it is stored now. Absent in an export, which holds rows alone: then documents are not compared. */
  document?(kind: string, id: string): Promise<Document | undefined>;
};

export async function verifyChain(source: ChainSource): Promise<AuditVerdict> {
  const removals = createRemovals();
  let last = EMPTY_CHAIN;
  const seen = new Set<string>(); // of two documents with one name the first was kept
  for (;;) {
    const page = await source.rows(last.seq, VERIFY_PAGE);
    if (last === EMPTY_CHAIN) last = removals.begin(page[0]);
    for (const row of page) {
      const wrong = faultOf(last, row) ?? (await documentFault(row, { source, seen, removals }));
      if (wrong !== undefined) return brokenAt({ rows: last.seq, brokenAtSeq: last.seq + 1 }, wrong);
      removals.follow(row);
      last = row;
    }
    if (page.length > 0) {
      await otherWork();
      continue;
    }
    const head = await source.head(); // read after the rows, so it can only be newer than they are
    const appended = head.seq > last.seq && (await source.rows(last.seq, 1)).length > 0;
    if (!appended) return removals.fault() ?? verdictAt(last, head);
  }
}

function verdictAt(last: AuditHead, head: AuditHead): AuditVerdict {
  const { seq, hash } = last;
  if (head.seq === seq && head.hash === hash) return { intact: true, rows: seq, headHash: hash };
  if (head.seq > seq)
    return brokenAt({ rows: seq, brokenAtSeq: seq + 1 }, localized("chainCut", { from: seq + 1, to: head.seq }));
  if (head.seq < seq)
    return brokenAt({ rows: seq, brokenAtSeq: head.seq + 1 }, localized("chainForeign", { seq: head.seq }));
  return brokenAt({ rows: seq, brokenAtSeq: seq }, localized("chainNotLast", { seq }));
}

const brokenAt = (at: { rows: number; brokenAtSeq: number }, { text, said }: LocalizedText): AuditVerdict => ({
  intact: false,
  ...at,
  reason: text,
  said,
});

const FAULTS = { missing: "chainMissing", broken: "chainBroken", altered: "chainAltered" } as const;

/** Why this row does not follow that head; undefined: it does. */
function faultOf(last: AuditHead, row: AuditRow): LocalizedText | undefined {
  const fault = chainFault(last, row);
  return fault === undefined ? undefined : localized(FAULTS[fault], { seq: last.seq + 1 });
}

const ChainedRow: z.ZodType<ChainedDocument> = lazySchema(() =>
  z.strictObject({ kind: z.string(), id: z.string(), sha256: z.string() }),
);
const Body = z.object({ documents: z.array(ChainedRow).default([]) });

type Documents = { source: Pick<ChainSource, "document">; seen: Set<string>; removals: Removals };

async function documentFault(
  { seq, body }: AuditRow,
  { source, seen, removals }: Documents,
): Promise<LocalizedText | undefined> {
  if (source.document === undefined || !body.includes('"documents"')) return undefined;
  const named = Body.safeParse(JSON.parse(body));
  for (const { kind, id, sha256 } of named.success ? named.data.documents : []) {
    const name = JSON.stringify([kind, id]);
    if (seen.has(name)) continue;
    seen.add(name);
    const found = await source.document(kind, id);
    if (found === undefined) removals.missing({ kind, id, seq });
    else if (documentHash(found) !== sha256) return localized("chainDocument", { kind, id, seq });
  }
  return undefined;
}

const otherWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Missing = { kind: string; id: string; seq: number };

/**
 * Rows and documents that are not there any more. A gateway that removes some says so in a later row (`retention.ts`);
 * whatever no row accounts for was taken away by somebody else.
 */
function createRemovals() {
  const missing = new Map<string, Missing>();
  let cut: AuditHead | undefined;

  return {
    missing: (document: Missing): void => void missing.set(nameOf(document), document),
    /** Where the chain begins: before its first row, wherever that is. */
    begin(first: AuditRow | undefined): AuditHead {
      if (first === undefined || first.seq === 1) return EMPTY_CHAIN;
      cut = { seq: first.seq - 1, hash: first.prevHash };
      return cut;
    },
    follow({ body }: AuditRow): void {
      if (cut === undefined && missing.size === 0) return;
      const said = Removed.safeParse(JSON.parse(body));
      for (const fact of said.success ? said.data.facts : []) {
        for (const each of documentsIn(fact)) missing.delete(nameOf(each));
        if (isCut(fact, cut)) cut = undefined;
      }
    },
    fault(): AuditVerdict | undefined {
      if (cut !== undefined) return brokenAt({ rows: 0, brokenAtSeq: 1 }, localized("chainMissing", { seq: 1 }));
      const [first] = missing.values();
      if (first === undefined) return undefined;
      return brokenAt({ rows: first.seq - 1, brokenAtSeq: first.seq }, localized("chainDocument", first));
    },
  };
}
type Removals = ReturnType<typeof createRemovals>;
type RemovedFact = z.infer<typeof Removed>["facts"][number];

const documentsIn = ({ type, detail }: RemovedFact) => (type === "documents.removed" ? (detail.documents ?? []) : []);
const isCut = ({ type, detail }: RemovedFact, cut: AuditHead | undefined): boolean =>
  type === "audit.trimmed" && detail.upTo === cut?.seq && detail.hash === cut?.hash;

const nameOf = ({ kind, id }: { kind: string; id: string }): string => JSON.stringify([kind, id]);

const Removed = lazySchema(() =>
  z.object({
    facts: z.array(
      z.object({
        type: z.string(),
        detail: z.object({
          documents: z
            .array(z.object({ kind: z.string(), id: z.string() }))
            .optional()
            .catch(undefined),
          upTo: z.number().optional().catch(undefined),
          hash: z.string().optional().catch(undefined),
        }),
      }),
    ),
  }),
);
