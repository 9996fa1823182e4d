/** `api.blobs`: what a plugin keeps stands under its own id. */
import { BLOB_BYTES_MAX, BLOBS_MAX, type BlobsApi } from "../api/blobs.ts";
import type { PluginBlobs } from "../plugin-runtime.ts";
import type { Loaded } from "./contributions.ts";
import type { Rights } from "./rights.ts";

const KEY = /^[A-Za-z0-9._/-]{1,128}$/;

export function blobsOf({ id }: Loaded, rights: Rights): BlobsApi {
  const blobs = (runtime: ReturnType<Rights["running"]>): PluginBlobs => {
    rights.trusted("bytes in the store");
    if (runtime.blobs === undefined) throw rights.fail("failed", "nothing is kept in this gateway");
    return runtime.blobs;
  };
  return {
    async save(blob) {
      if (!KEY.test(blob.key)) throw rights.fail("invalid", "such a key cannot name what it keeps");
      if (blob.bytes.byteLength > BLOB_BYTES_MAX) throw rights.fail("invalid", "it would keep too many bytes at once");
      const kept = blobs(rights.changing());
      if ((await kept.count(id)) >= BLOBS_MAX) return false;
      return kept.save(id, blob);
    },
    read: async (key) => blobs(rights.running()).read(id, key),
    remove: async (which) => blobs(rights.changing()).remove(id, which),
    count: async (sessionKey) => blobs(rights.running()).count(id, sessionKey),
  };
}
