/** What will happen by itself, as it is listed. */
import { expect, it } from "vitest";
import { engineWorld, gate } from "../../../../test/kit/engine.ts";
import { PAGE_MAX } from "../../../store/store.ts";
import { timersOf } from "./timers.ts";

it("[AU-02] a session's own timers are listed, however many others come first", async () => {
  const { engine, store, clock, must, open } = engineWorld();
  for (let n = 0; n < PAGE_MAX; n++) await must(await open(`other${n}`), gate({ do: "arm" }));
  clock.advance(1);
  const mine = await open("mine");
  await must(mine, gate({ do: "arm" }));
  expect(await timersOf({ store, engine }, { limit: 2 })).toHaveLength(2);
  expect(await timersOf({ store, engine }, { sessionId: mine, limit: 10 })).toMatchObject([
    { sessionId: mine, key: "bell" },
  ]);
});
