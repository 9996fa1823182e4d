import { expect, it } from "vitest";
import { createRollbackWaits } from "./roll-back.ts";

const done = { rollbackId: "rbk_1", restored: 2, left: [] };

it("[BY-09] whoever waits for a rollback hears of its end, also where the same request came twice", async () => {
  const waits = createRollbackWaits();
  const both = [waits.wait("rbk_1"), waits.wait("rbk_1")];
  waits.done(done);
  expect(await Promise.all(both)).toEqual([done, done]);
});

it("[BY-09] nobody waits for a rollback that was refused", async () => {
  const waits = createRollbackWaits();
  const waiting = waits.wait("rbk_1");
  waits.refused("rbk_1");
  expect(await waiting).toBeUndefined();
});
