/** Bytes that a plugin keeps for a while, beside the sessions: no export, no list and no backup of documents shows them. */
import type { SessionId } from "../protocol/ids.ts";

/** `owner`: the plugin. After `untilMs` it is gone for readers, and `prune` drops it. */
export type StoredBlob = { owner: string; key: string; sessionId: SessionId; untilMs: number; bytes: Uint8Array };

export type BlobPlace = { owner: string; key: string };
/** One, or all of a session: of one plugin, or of every one. */
export type BlobRange = BlobPlace | { owner?: string; sessionId: SessionId };

export type BlobChange = { do: "save"; blob: StoredBlob } | { do: "remove"; which: BlobRange };

export type BlobStore = {
  /** Replaces what stood in this place. */
  saveBlob(blob: StoredBlob): Promise<void>;
  blob(place: BlobPlace & { nowMs: number }): Promise<StoredBlob | undefined>;
  removeBlobs(which: BlobRange): Promise<void>;
  blobCount(of: { owner: string; sessionId?: SessionId; nowMs: number }): Promise<number>;
};

/** As both databases keep them: JSON and bytes are text there. */
export const blobText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
export const blobBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));
