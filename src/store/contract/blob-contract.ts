/** What every store must do with the bytes that plugins keep. */
import { expect, it } from "vitest";
import type { StoredBlob } from "../blobs.ts";
import type { Test } from "./commit-contract.ts";
import { sid, START_MS } from "./harness.ts";

const blob = (key: string, change: Partial<StoredBlob> = {}): StoredBlob => ({
  owner: "code-mode",
  key,
  sessionId: sid(1),
  untilMs: START_MS + 1_000,
  bytes: new Uint8Array([0, 255, 10, 39, 128]),
  ...change,
});

export function blobContract(test: Test): void {
  it(
    "[CM-05] keeps bytes as they are over a restart, and replaces what stood in their place",
    test(async ({ store, reopen }) => {
      await store.saveBlob(blob("a"));
      await store.saveBlob(blob("a", { bytes: new Uint8Array([7]) }));
      await store.saveBlob(blob("b"));
      const again = await reopen();
      expect(await again.blob({ owner: "code-mode", key: "a", nowMs: START_MS })).toEqual(
        blob("a", { bytes: new Uint8Array([7]) }),
      );
      expect(await again.blob({ owner: "code-mode", key: "b", nowMs: START_MS })).toEqual(blob("b"));
      expect(await again.blob({ owner: "another", key: "b", nowMs: START_MS })).toBeUndefined();
    }),
  );

  it(
    "[CM-05] shows none whose time is over, and drops them",
    test(async ({ store }) => {
      await store.saveBlob(blob("a"));
      await store.saveBlob(blob("b", { untilMs: START_MS + 5_000 }));
      const read = (key: string, nowMs: number) => store.blob({ owner: "code-mode", key, nowMs });
      expect(await read("a", START_MS + 999)).toBeDefined();
      expect(await read("a", START_MS + 1_000)).toBeUndefined();
      await store.prune(START_MS + 1_000);
      expect([await read("a", 0), await read("b", 0)]).toEqual([undefined, blob("b", { untilMs: START_MS + 5_000 })]);
    }),
  );

  it(
    "[CM-05] removes one of them or all of a session, and counts what is left",
    test(async ({ store }) => {
      for (const key of ["a", "b", "c"]) await store.saveBlob(blob(key));
      await store.saveBlob(blob("d", { sessionId: sid(2) }));
      await store.saveBlob(blob("a", { owner: "another" }));
      const count = (sessionId?: StoredBlob["sessionId"]) =>
        store.blobCount({ owner: "code-mode", nowMs: START_MS, ...(sessionId === undefined ? {} : { sessionId }) });
      expect([await count(), await count(sid(1))]).toEqual([4, 3]);
      await store.removeBlobs({ owner: "code-mode", key: "a" });
      expect([await count(), await count(sid(1))]).toEqual([3, 2]);
      await store.removeBlobs({ owner: "code-mode", sessionId: sid(1) });
      expect([await count(), await count(sid(2))]).toEqual([1, 1]);
      expect(await store.blobCount({ owner: "another", nowMs: START_MS })).toBe(1);
      await store.removeBlobs({ sessionId: sid(1) });
      expect([await store.blobCount({ owner: "another", nowMs: START_MS }), await count(sid(2))]).toEqual([0, 1]);
    }),
  );

  it(
    "[CM-05] takes nothing when it is closed",
    test(async ({ store }) => {
      await store.close();
      await expect(store.saveBlob(blob("a"))).rejects.toThrow("closed");
    }),
  );
}
