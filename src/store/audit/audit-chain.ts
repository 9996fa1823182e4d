/**
 * The audit chain: one row per commit that has audit facts, each carrying the digest of the row before. How rows are
 * made; `audit-verify.ts` is how they are checked. Without a schema library: the writer's thread loads this file.
 */
import { createHash } from "node:crypto";
import { AUDIT_GENESIS } from "../../protocol/audit-genesis.ts";
import type { AuditFact, AuditRow } from "../../protocol/audit.ts";
import { canonicalJson } from "../../protocol/text/canonical-json.ts";
import type { StoredArtifact } from "../store.ts";

/** The last row's number and digest, kept apart from the rows so that cutting the last ones off is noticed. */
export type AuditHead = { seq: number; hash: string };

export const EMPTY_CHAIN: AuditHead = { seq: 0, hash: AUDIT_GENESIS };

export type AuditEntry = { atMs: number; sessionId: string | null; actor: string; body: string };

/** A document as the chain vouches for it. */
export type ChainedDocument = { kind: string; id: string; sha256: string };

export type Document = Pick<StoredArtifact, "sessionId" | "kind" | "id" | "digest" | "body">;

/** Over all that a reader goes by, in one form: stores may give the body back with its members in another order. */
export function documentHash({ sessionId, kind, id, digest, body }: Document): string {
  return createHash("sha256").update(canonicalJson({ sessionId, kind, id, digest, body })).digest("hex");
}

/** The exact text that is stored and hashed; undefined where there is nothing to record. */
export function auditBody(facts: readonly AuditFact[], documents: readonly Document[] = []): string | undefined {
  if (documents.length === 0) return facts.length === 0 ? undefined : JSON.stringify({ facts });
  const hashed = documents.map((item): ChainedDocument => ({
    kind: item.kind,
    id: item.id,
    sha256: documentHash(item),
  }));
  return JSON.stringify({ facts, documents: hashed });
}

function auditHash(row: Omit<AuditRow, "hash">): string {
  const { prevHash, seq, atMs, sessionId, actor, body } = row;
  return createHash("sha256")
    .update(`${prevHash}\n${seq}\n${atMs}\n${sessionId ?? ""}\n${actor}\n${body}`)
    .digest("hex");
}

export function chained(head: AuditHead, entry: AuditEntry): AuditRow {
  const row = { seq: head.seq + 1, ...entry, prevHash: head.hash };
  return { ...row, hash: auditHash(row) };
}

/** What is wrong with a row that follows another one. */
export function chainFault(last: AuditHead, row: AuditRow): "missing" | "broken" | "altered" | undefined {
  if (row.seq !== last.seq + 1) return "missing";
  if (row.prevHash !== last.hash) return "broken";
  return row.hash === auditHash(row) ? undefined : "altered";
}
