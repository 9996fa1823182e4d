/**
 * What is removed in time, and the facts that say so in the audit chain: whoever verifies the chain afterwards sees that
 * a gateway removed it, and not somebody else.
 */
import type { OwnFact } from "../protocol/audit.ts";
import { ATTACHMENT_ARTIFACT } from "../protocol/attachment-artifact.ts";
import type { AuditRow } from "../protocol/audit.ts";
import { type AuditHead, chainFault, EMPTY_CHAIN } from "./audit/audit-chain.ts";
import { fromStored } from "./stored-json.ts";

/** Events of a deleted session stay this long, so that whoever follows it learns of its end. */
export const DELETED_KEPT_MS = 10 * 60_000;
/** Documents that go with their session. Plans and what was decided about them stay, as the audit rows do. */
export const REMOVED_KINDS: readonly string[] = [ATTACHMENT_ARTIFACT];
export const RETENTION_ACTOR = "retention";

export type RemovedDocument = { kind: string; id: string };

export const removedFact = (documents: readonly RemovedDocument[]): OwnFact => ({
  type: "documents.removed",
  detail: { documents: documents.map(({ kind, id }) => ({ kind, id })) },
});

export const trimmedFact = ({ seq, hash }: AuditHead): OwnFact => ({
  type: "audit.trimmed",
  detail: { upTo: seq, hash },
});

/** Where the last row that was trimmed is kept; absent: the chain begins with its first row. */
export const TRIMMED_KEY = "audit_trimmed";
export const trimmedIn = (value: unknown): AuditHead =>
  typeof value === "string" ? fromStored<AuditHead>(value) : EMPTY_CHAIN;

/**
 * The last of the oldest rows that may go, if all of them follow each other: what was tampered with stays, so that it is
 * still found. Rows go in one piece from the beginning, so a clock that was set back keeps some longer; the newest of
 * those given always stays.
 */
export function lastToTrim(oldest: readonly AuditRow[], beforeMs: number, begins: AuditHead): AuditHead | undefined {
  const kept = oldest.findIndex(({ atMs }) => atMs >= beforeMs);
  const going = oldest.slice(0, kept === -1 ? -1 : kept);
  let last = begins;
  for (const row of going) {
    if (chainFault(last, row) !== undefined) return undefined;
    last = row;
  }
  return last === begins ? undefined : { seq: last.seq, hash: last.hash };
}
