/** Bytes that a plugin keeps in the store for a while, beside the sessions: they are in no export and no list. */

/** No plugin keeps more at a time, and none of them is larger. */
export const BLOBS_MAX = 512;
export const BLOB_BYTES_MAX = 256 * 1_048_576;
export const BLOB_MS_MAX = 24 * 3_600_000;

export type BlobsApi = {
  /** Kept until then, over restarts; it replaces what stood under this key. False: the store took nothing. */
  save(blob: { key: string; sessionKey: string; untilMs: number; bytes: Uint8Array }): Promise<boolean>;
  /** Undefined where there is none, or its time is over. */
  read(key: string): Promise<Uint8Array | undefined>;
  /** One of them, or all of a session. */
  remove(which: { key: string } | { sessionKey: string }): Promise<void>;
  /** How many there are, of a session or of all. */
  count(sessionKey?: string): Promise<number>;
};
