/** What travels between the gateway's thread and the writer's. */
import type { OrderAnswer, OrderAsk } from "../order-lane.ts";
import type { BlobChange } from "../blobs.ts";
import type { OwnerChange } from "../command-owners.ts";
import type { ChannelNoteChange, SurfaceAccountChange } from "../deliveries.ts";
import type { PresenceChange } from "../passkeys.ts";
import type { SubscriberRecord } from "../sql/delivery-queries.ts";
import type { SearchChange } from "../search/search-documents.ts";
import type { DocumentForm, SerialisedAudit, SerialisedCommit } from "../sql/serialise.ts";
import type { RetentionAsk } from "./statements/retention-statements.ts";
import type { OperatorToken, StoreFailure, StoreHealth } from "../store.ts";

export type Job =
  | { kind: "commit"; vital: boolean; commit: SerialisedCommit<DocumentForm> }
  | { kind: "audit"; vital: boolean; audit: SerialisedAudit | null }
  | { kind: "token"; vital: boolean; token: OperatorToken; audit: SerialisedAudit | null }
  | { kind: "effect-done"; vital: boolean; id: number }
  | { kind: "order"; vital: boolean; ask: OrderAsk }
  | { kind: "prune"; vital: boolean; beforeMs: number; rowsMax: number }
  | { kind: "subscriber"; vital: boolean; record: SubscriberRecord }
  | { kind: "subscriber-gone"; vital: boolean; id: string }
  | { kind: "account"; vital: boolean; account: SurfaceAccountChange; audit: SerialisedAudit | null }
  | { kind: "channel-note"; vital: boolean; note: ChannelNoteChange }
  | { kind: "command-owner"; vital: boolean; change: OwnerChange; audit: SerialisedAudit | null }
  | { kind: "presence"; vital: boolean; change: PresenceChange; audit: SerialisedAudit | null }
  | { kind: "blob"; vital: boolean; change: BlobChange }
  | { kind: "search-document"; vital: boolean; change: SearchChange }
  | { kind: "prune-blobs"; vital: boolean; beforeMs: number; rowsMax: number }
  | { kind: "prune-challenges"; vital: boolean; beforeMs: number; rowsMax: number }
  | ({ kind: "purge-deleted" | "trim-audit"; vital: boolean } & RetentionAsk)
  | { kind: "reclaim"; vital: boolean }
  | { kind: "prune-deliveries"; vital: boolean; beforeMs: number; rowsMax: number };

export type Outcome =
  /** The cursors of one commit follow each other: there is one writer. */
  | { status: "committed"; version: number; firstCursor: number }
  | { status: "conflict" }
  | { status: "replayed"; result: string }
  | { status: "key-reused" }
  | { status: "done"; rows: number }
  | { status: "order"; answer: OrderAnswer }
  | { status: "failed"; failure: StoreFailure }
  /** A row that decides about this was damaged or altered: nothing was written. */
  | { status: "damaged"; what: string }
  /** Not the disk's fault: whoever asked gets it thrown. */
  | { status: "broken"; message: string };

/** Jobs are answered in the order in which they were posted, so neither side needs numbers. */
export type ToWriter = { kind: "jobs"; jobs: Job[] } | { kind: "close" };
export type FromWriter =
  | { kind: "ready" }
  | { kind: "refused"; message: string }
  /** `spent`: the memory of documents that came as bytes, which goes back to be used again. */
  | { kind: "outcomes"; outcomes: Outcome[]; spent: ArrayBuffer[] }
  | { kind: "health"; health: StoreHealth }
  | { kind: "fatal"; message: string };

/** The memory that is handed over with jobs, each way. */
export const handedOver = (jobs: readonly Job[]): ArrayBuffer[] =>
  jobs.flatMap((job) => {
    const doc = job.kind === "commit" ? job.commit.session?.doc : undefined;
    return doc instanceof Uint8Array && doc.buffer instanceof ArrayBuffer ? [doc.buffer] : [];
  });
