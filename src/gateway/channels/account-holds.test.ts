import { expect, it } from "vitest";
import { fakeClock, quiet } from "../../../test/kit/fake-clock.ts";
import { openMemoryStore } from "../../store/memory/memory-store.ts";
import type { Store } from "../../store/store.ts";
import { createAccountHolds, HOLD_MS } from "./account-holds.ts";

const ACCOUNT = { surface: "irc", account: "main" };

/** Gateways on one store; each has its own clock, and its way to the store can break. */
function world() {
  const store = openMemoryStore();
  const clock = fakeClock(1_000_000);
  const gateway = (id: string) => {
    const state = { isAway: false, inDoubt: false, problems: 0 };
    const reach =
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (state.isAway) throw new Error("the store is away");
        return call(...args);
      };
    const own: Pick<Store, "channelNote" | "saveChannelNote"> = {
      channelNote: reach((name) => store.channelNote(name)),
      saveChannelNote: reach((change) => store.saveChannelNote(change)),
    };
    const holds = createAccountHolds({
      store: own,
      clock: { ...clock, isInDoubt: () => state.inDoubt },
      node: { id, name: `gateway ${id}` },
      shared: true,
      report: () => void (state.problems += 1),
    });
    return { state, hold: () => holds(ACCOUNT) };
  };
  const advance = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      await quiet();
    }
  };
  return { gateway, advance, store };
}

it("[CH-11, SC-02] of gateways that start at once one serves the account, and the others know which", async () => {
  const { gateway, advance } = world();
  const holds = await Promise.all(["a", "b", "c"].map((id) => gateway(id).hold()));
  const serving = holds.map((hold) => hold.isHere());
  expect(serving.filter(Boolean)).toHaveLength(1);
  const name = `gateway ${["a", "b", "c"][serving.indexOf(true)]}`;
  await advance(3 * HOLD_MS);
  expect(holds.map((hold) => hold.isHere())).toEqual(serving);
  expect(holds.map((hold) => hold.holder())).toEqual([name, name, name]);
});

it("[CH-11, SC-02] one that stops gives it back at once; one that dies is followed within fifteen seconds, and never before its term", async () => {
  const { gateway, advance } = world();
  const [a, b, c] = [gateway("a"), gateway("b"), gateway("c")];
  const first = await a.hold();
  const second = await b.hold();
  await first.release();
  await advance(2_000);
  expect([first.isHere(), second.isHere()]).toEqual([false, true]);
  const third = await c.hold();
  b.state.isAway = true; // as good as dead, for all that others can know
  let both = false;
  for (let passed = 0; passed < 15_000 && !third.isHere(); passed += 500) {
    await advance(500);
    both ||= second.isHere() && third.isHere();
  }
  expect([second.isHere(), third.isHere(), both]).toEqual([false, true, false]);
  expect(b.state.problems).toBeGreaterThan(0);
  b.state.isAway = false;
  await advance(HOLD_MS);
  expect([second.isHere(), third.isHere(), second.holder()]).toEqual([false, true, "gateway c"]);
});

it("[CH-11, SC-04] what was told is told again: lost at the end of the term, and gained", async () => {
  const { gateway, advance } = world();
  const a = gateway("a");
  const hold = await a.hold();
  const seen: boolean[] = [];
  hold.onChange(() => void seen.push(hold.isHere()));
  a.state.isAway = true;
  await advance(HOLD_MS + 1_000);
  expect(seen).toEqual([false]);
  a.state.isAway = false;
  await advance(3_000);
  expect(seen).toEqual([false, true]);
});

it("[CH-11, SC-04] a machine that slept, or whose clock was set, serves nothing until it knows the store's time again", async () => {
  const { gateway, advance } = world();
  const a = gateway("a");
  const hold = await a.hold();
  const seen: boolean[] = [];
  hold.onChange(() => void seen.push(hold.isHere()));
  a.state.inDoubt = true;
  expect(hold.isHere()).toBe(false);
  a.state.inDoubt = false;
  expect(hold.isHere()).toBe(true);
  await advance(HOLD_MS / 3 + 500);
  expect(seen).toEqual([true]); // whoever was refused in between is called
});

it("[CH-11] a note that nobody can read is nobody's, and what is given back is taken from no successor", async () => {
  const { gateway, advance, store } = world();
  await store.saveChannelNote({ ...ACCOUNT, key: "holder", value: "{broken", untilMs: null });
  const a = gateway("a");
  const first = await a.hold();
  expect(first.isHere()).toBe(true);
  a.state.isAway = true;
  await advance(HOLD_MS + 1_000);
  const second = await gateway("b").hold();
  a.state.isAway = false;
  await first.release();
  await advance(HOLD_MS);
  expect(second.isHere()).toBe(true);
});
