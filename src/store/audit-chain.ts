/**
 * The audit chain: one row per commit that has audit facts, each carrying the digest of the row before. How rows are
 * made; `audit-verify.ts` is how they are checked.
 */
import { createHash } from "node:crypto";
import type { AuditFact, AuditRow } from "../protocol/audit.ts";

/** The last row's number and digest, kept apart from the rows so that cutting the last ones off is noticed. */
export type AuditHead = { seq: number; hash: string };

export type AuditEntry = { atMs: number; sessionId: string | null; actor: string; body: string };

/** The exact text that is stored and hashed. */
export const auditBody = (facts: readonly AuditFact[]): string => JSON.stringify({ facts });

export function auditHash(row: Omit<AuditRow, "hash">): string {
  const { prevHash, seq, atMs, sessionId, actor, body } = row;
  return createHash("sha256")
    .update(`${prevHash}\n${seq}\n${atMs}\n${sessionId ?? ""}\n${actor}\n${body}`)
    .digest("hex");
}

export function chained(head: AuditHead, entry: AuditEntry): AuditRow {
  const row = { seq: head.seq + 1, ...entry, prevHash: head.hash };
  return { ...row, hash: auditHash(row) };
}
