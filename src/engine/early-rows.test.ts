import { expect, it } from "vitest";
import { engineWorld, say } from "../../test/kit/engine.ts";
import { quiet } from "../../test/kit/fake-clock.ts";
import { openMemoryStore } from "../store/memory/memory-store.ts";
import type { Store } from "../store/store.ts";
import { createCommitWork } from "./commit-work.ts";

/** As SQLite is read in one thread and written in another: what is committed is seen before it is acknowledged. */
function slowToAnswer(store: Store) {
  let late: Promise<void> | undefined;
  return {
    store: {
      ...store,
      async commit(commit) {
        const result = await store.commit(commit);
        await late;
        return result;
      },
    } satisfies Store,
    holdUp(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      late = promise;
      return () => {
        late = undefined;
        resolve();
      };
    },
  };
}

it("[SB-01, I16] what a commit ordered is performed on the session as that commit left it, also when its row is read before it is acknowledged", async () => {
  const { store, holdUp } = slowToAnswer(openMemoryStore());
  const world = engineWorld({ store });
  const first = await world.open("a");
  const seen: string[] = [];
  const work = createCommitWork({
    ...world,
    node: "n",
    shared: false,
    workerFor: () => undefined,
    report: (error) => void seen.push(String(error)),
    async run({ sessionId }) {
      seen.push(`${sessionId}: ${(await world.engine.session(sessionId))?.turn.status ?? "none"}`);
      return "done";
    },
  });
  const release = holdUp();
  const sent = world.must(first, say(1));
  await quiet();
  work.begin(); // as a commit elsewhere would
  await quiet();
  release();
  await sent;
  await quiet();
  expect(seen).toEqual([`${first}: requested`]);
  await work.stop();
  await work.drain();
});
