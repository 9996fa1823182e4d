/** Orders that nobody waits for. */
import { expect, it } from "vitest";
import { quiet } from "../../test/kit/fake-clock.ts";
import { pending, processOn, ship, world } from "../../test/kit/order-world.ts";
import { aCommit, committed, sid, turn } from "../store/contract/harness.ts";

it("[PL-12] orders of a worker that nobody waits for let turns go first, and are not begun while the gateway stops", async () => {
  const { store, clock } = await world({ a: [ship(1), ship(2)] });
  committed(await store.commit(aCommit(sid("d"), { outbox: [{ kind: "run-turn", turnId: turn(1) }] })));
  const pauses: (() => void)[] = [];
  const pause = (): Promise<void> => new Promise((resolve) => pauses.push(resolve));
  const { outbox, router, turns, numbers } = processOn(store, clock, { pause });
  outbox.wake();
  await quiet();
  expect([numbers(), turns, pauses.length]).toEqual([[], ["ses_d"], 1]);
  pauses[0]?.();
  await quiet();
  expect([numbers(), pauses.length]).toEqual([[1], 2]);
  await router.drain();
  pauses[1]?.();
  await quiet();
  expect([numbers(), await pending(store)]).toEqual([[1], 1]);
});
