/** What every store must do with documents that are found by their terms. */
import { expect, it } from "vitest";
import type { SearchChange, SearchedTerm } from "../search/search-documents.ts";
import type { Store } from "../store.ts";
import type { Test } from "./commit-contract.ts";
import { START_MS } from "./harness.ts";

const change = (key: string, terms: string[], more: Partial<SearchChange> = {}): SearchChange => ({
  owner: "library",
  key,
  atMs: START_MS,
  expectedVersion: 0,
  body: { key, text: "a \0 and ü" },
  terms,
  ...more,
});

async function keys(store: Store, terms: SearchedTerm[], owner = "library"): Promise<string[]> {
  const { items } = await store.searchDocuments({ owner, terms, cursor: null, limit: 50 });
  return items.map(({ key }) => key);
}

export function searchContract(test: Test): void {
  it(
    "[BY-10] finds documents that have all terms, whole or by how one begins, newest first, over a restart",
    test(async ({ store, reopen }) => {
      await store.saveSearchDocument(change("old", ["pay", "migrate", "f:src/pay.ts"], { atMs: START_MS - 5 }));
      await store.saveSearchDocument(change("new", ["payments", "it's", "a\\b"]));
      await store.saveSearchDocument(change("other", ["pay"], { owner: "another" }));
      const again = await reopen();
      expect(await keys(again, [{ term: "pay" }])).toEqual(["old"]);
      expect(await keys(again, [{ term: "pay", isPrefix: true }])).toEqual(["new", "old"]);
      expect(await keys(again, [{ term: "pay", isPrefix: true }, { term: "migrate" }])).toEqual(["old"]);
      expect(await keys(again, [{ term: "f:src/", isPrefix: true }])).toEqual(["old"]);
      expect(await keys(again, [{ term: "it's" }, { term: "a\\b" }])).toEqual(["new"]);
      expect(await keys(again, [{ term: "nothing" }])).toEqual([]);
      expect([await keys(again, []), await keys(again, [], "another")]).toEqual([["new", "old"], ["other"]]);
      expect(await again.searchDocument({ owner: "library", key: "old" })).toEqual({
        owner: "library",
        key: "old",
        atMs: START_MS - 5,
        version: 1,
        body: { key: "old", text: "a \0 and ü" },
      });
      expect(await again.searchDocument({ owner: "library", key: "none" })).toBeUndefined();
    }),
  );

  it(
    "[BY-10] replaces a document by its version alone, in its place, and forgets its old terms",
    test(async ({ store }) => {
      await store.saveSearchDocument(change("a", ["before"]));
      await store.saveSearchDocument(change("b", ["before"], { atMs: START_MS + 9 }));
      const next = change("a", ["after", "x'; DROP TABLE y"], { expectedVersion: 1, atMs: START_MS + 99 });
      expect(await store.saveSearchDocument(next)).toMatchObject({ status: "committed" });
      expect(await store.saveSearchDocument(next)).toEqual({ status: "conflict" });
      expect(await store.saveSearchDocument(change("a", []))).toEqual({ status: "conflict" });
      expect([await keys(store, [{ term: "before" }]), await keys(store, [{ term: "after" }])]).toEqual([["b"], ["a"]]);
      expect(await keys(store, [])).toEqual(["b", "a"]);
      expect(await store.searchDocument({ owner: "library", key: "a" })).toMatchObject({ version: 2, atMs: START_MS });
    }),
  );

  it(
    "[BY-10] replaces many at once, and what is written after them is written",
    test(async ({ store }) => {
      const names = Array.from({ length: 12 }, (_, n) => `k${n}`);
      const all = (expectedVersion: number) =>
        Promise.all(
          names.map((name) => store.saveSearchDocument(change(name, [`v${expectedVersion}`], { expectedVersion }))),
        );
      for (const version of [0, 1, 2])
        expect(new Set((await all(version)).map(({ status }) => status))).toEqual(new Set(["committed"]));
      expect(await keys(store, [{ term: "v1" }])).toEqual([]);
      expect((await keys(store, [{ term: "v2" }])).toSorted()).toEqual(names.toSorted());
      expect(await store.saveSearchDocument(change("after", ["v9"]))).toMatchObject({ status: "committed" });
    }),
  );

  it(
    "[BY-10] pages through what it found, and refuses terms without end",
    test(async ({ store }) => {
      for (let n = 0; n < 5; n++) await store.saveSearchDocument(change(`k${n}`, ["t"], { atMs: START_MS + n }));
      const page = (cursor: string | null) =>
        store.searchDocuments({ owner: "library", terms: [{ term: "t" }], cursor, limit: 2 });
      const first = await page(null);
      const second = await page(first.nextCursor);
      const third = await page(second.nextCursor);
      expect([first, second, third].map(({ items }) => items.map(({ key }) => key))).toEqual([
        ["k4", "k3"],
        ["k2", "k1"],
        ["k0"],
      ]);
      expect(third.nextCursor).toBeNull();
      await expect(keys(store, [{ term: "x".repeat(300) }])).rejects.toThrow("256 bytes");
      const many = Array.from({ length: 33 }, (_, n) => ({ term: `t${n}` }));
      await expect(keys(store, many)).rejects.toThrow("at most 32 terms");
    }),
  );
}
