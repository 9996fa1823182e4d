/** What every store must do with the owners of commands. */
import { expect, it } from "vitest";
import type { Test } from "./commit-contract.ts";
import { fact, START_MS } from "./harness.ts";

export function ownerContract(test: Test): void {
  const audit = { atMs: START_MS, actor: "system:plugins", facts: [fact("command.owned")] };
  const claim = { root: "depioy", name: "deploy", pluginId: "first", sinceMs: START_MS, was: null };
  const { was: _, ...owned } = claim;

  it(
    "[PG-05] records the first owner of a command, over a restart, and nobody after it",
    test(async ({ store, reopen }) => {
      expect(await store.commandOwners()).toEqual([]);
      expect((await store.saveCommandOwner(claim, audit)).status).toBe("committed");
      const again = await reopen();
      expect(await again.saveCommandOwner({ ...claim, pluginId: "second" }, audit)).toEqual({ status: "conflict" });
      expect(await again.commandOwners()).toEqual([owned]);
      expect(await again.auditRows({ afterSeq: 0, limit: 9 })).toHaveLength(1);
    }),
  );

  it(
    "[PG-05] hands a command over from the owner that was seen, and frees it, each once",
    test(async ({ store }) => {
      await store.saveCommandOwner(claim, audit);
      const over = { ...claim, pluginId: "second", sinceMs: START_MS + 1, was: "first" };
      expect((await store.saveCommandOwner(over, audit)).status).toBe("committed");
      expect(await store.saveCommandOwner({ ...over, pluginId: "third" }, audit)).toEqual({ status: "conflict" });
      const other = { root: "aaa", name: "aaa", pluginId: "first", sinceMs: START_MS };
      await store.saveCommandOwner({ ...other, was: null }, audit);
      expect(await store.commandOwners()).toEqual([other, { ...owned, pluginId: "second", sinceMs: START_MS + 1 }]);
      expect(await store.saveCommandOwner({ ...claim, pluginId: null, was: "first" }, audit)).toEqual({
        status: "conflict",
      });
      expect((await store.saveCommandOwner({ ...claim, pluginId: null, was: "second" }, audit)).status).toBe(
        "committed",
      );
      expect(await store.commandOwners()).toEqual([other]);
      expect(await store.auditRows({ afterSeq: 0, limit: 9 })).toHaveLength(4);
    }),
  );

  it(
    "[PG-05] lets one of two win that claim a command at the same moment",
    test(async ({ store }) => {
      const claims = ["first", "second", "third"].map((pluginId) =>
        store.saveCommandOwner({ ...claim, pluginId }, audit),
      );
      const results = (await Promise.all(claims)).map(({ status }) => status).toSorted();
      expect(results).toEqual(["committed", "conflict", "conflict"]);
      expect(await store.commandOwners()).toHaveLength(1);
    }),
  );

  it(
    "takes no owner when it is closed",
    test(async ({ store }) => {
      await store.close();
      expect(await store.saveCommandOwner(claim, audit)).toMatchObject({ status: "failed" });
    }),
  );
}
