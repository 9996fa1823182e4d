/** The bytes that plugins keep, of the store without a disk. */
import type { BlobRange, BlobStore, StoredBlob } from "../blobs.ts";

export type BlobMemory = { blobs: Map<string, StoredBlob> };

export const emptyBlobs = (): BlobMemory => ({ blobs: new Map() });

export const blobPort = ({ blobs }: BlobMemory, isClosed: () => boolean): BlobStore => ({
  async saveBlob(blob) {
    if (isClosed()) throw new Error("The store is closed.");
    blobs.set(placeOf(blob), copy(blob));
  },
  async blob({ nowMs, ...place }) {
    const found = blobs.get(placeOf(place));
    return found === undefined || found.untilMs <= nowMs ? undefined : copy(found);
  },
  async removeBlobs(which) {
    if (isClosed()) throw new Error("The store is closed.");
    for (const [place, blob] of blobs) if (isIn(blob, which)) blobs.delete(place);
  },
  async blobCount({ owner, sessionId, nowMs }) {
    const isOf = (blob: StoredBlob): boolean => sessionId === undefined || blob.sessionId === sessionId;
    return [...blobs.values()].filter((blob) => blob.owner === owner && isOf(blob) && blob.untilMs > nowMs).length;
  },
});

export function pruneBlobs({ blobs }: BlobMemory, nowMs: number): void {
  for (const [place, { untilMs }] of blobs) if (untilMs <= nowMs) blobs.delete(place);
}

const isIn = (blob: StoredBlob, which: BlobRange): boolean =>
  (which.owner === undefined || blob.owner === which.owner) &&
  ("key" in which ? blob.key === which.key : blob.sessionId === which.sessionId);
const placeOf = ({ owner, key }: Pick<StoredBlob, "owner" | "key">): string => JSON.stringify([owner, key]);
const copy = (blob: StoredBlob): StoredBlob => ({ ...blob, bytes: new Uint8Array(blob.bytes) });
