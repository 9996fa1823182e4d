/**
 * What `verifyChain` proves: no row was altered, removed, inserted or moved, and, because the head is kept apart from the
 * rows, none was cut off at the end. What it cannot prove: who wrote the rows. Whoever controls the whole store can
 * recompute every digest and the head with them; a copy of the head's digest kept elsewhere closes that.
 */
import { AUDIT_GENESIS, type AuditRow, type AuditVerdict } from "../protocol/audit.ts";
import { type AuditHead, auditHash } from "./audit-chain.ts";

export const EMPTY_CHAIN: AuditHead = { seq: 0, hash: AUDIT_GENESIS };

/** How many rows are checked before other work gets a turn. */
const VERIFY_PAGE = 200;

export type ChainSource = {
  rows(afterSeq: number, limit: number): Promise<AuditRow[]>;
  head(): Promise<AuditHead>;
};

export async function verifyChain(source: ChainSource): Promise<AuditVerdict> {
  let last = EMPTY_CHAIN;
  for (;;) {
    const page = await source.rows(last.seq, VERIFY_PAGE);
    for (const row of page) {
      const wrong = fault(last, row);
      if (wrong !== undefined) return { intact: false, rows: last.seq, brokenAtSeq: last.seq + 1, reason: wrong };
      last = row;
    }
    if (page.length > 0) {
      await otherWork();
      continue;
    }
    const head = await source.head(); // read after the rows, so it can only be newer than they are
    const appended = head.seq > last.seq && (await source.rows(last.seq, 1)).length > 0;
    if (!appended) return verdictAt(last, head);
  }
}

function verdictAt(last: AuditHead, head: AuditHead): AuditVerdict {
  const { seq, hash } = last;
  if (head.seq === seq && head.hash === hash) return { intact: true, rows: seq, headHash: hash };
  const broken = { intact: false as const, rows: seq };
  if (head.seq > seq)
    return { ...broken, brokenAtSeq: seq + 1, reason: `rows ${seq + 1} to ${head.seq} at the end are missing` };
  if (head.seq < seq)
    return { ...broken, brokenAtSeq: head.seq + 1, reason: `rows after ${head.seq} were not written by a gateway` };
  return { ...broken, brokenAtSeq: seq, reason: `row ${seq} is not the one that was written last` };
}

function fault(last: AuditHead, row: AuditRow): string | undefined {
  const expected = last.seq + 1;
  if (row.seq !== expected) return `row ${expected} is missing`;
  if (row.prevHash !== last.hash) return `row ${expected} does not continue the row before it`;
  if (row.hash !== auditHash(row)) return `row ${expected} was altered`;
  return undefined;
}

const otherWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
