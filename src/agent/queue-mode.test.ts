import { describe, expect, it } from "vitest";
import { answer, calls, counter, opened, stopOf, told, world } from "../../test/kit/scripted-turn.ts";

const turns = (queueMode: string) => ({ settings: { turns: { queueMode } } });

describe("messages sent while a turn runs", () => {
  it("[RT-04] steer: join at the next model request of the same turn, once", async () => {
    const { tool } = counter(async () => void (await made.send("rather so")));
    const made = await opened([calls("count"), answer("so it is")], { tools: [tool], ...turns("steer") });
    await made.send("go");
    expect(await made.settle()).toEqual(["done"]);
    expect(await told(made)).toEqual([
      "input: go",
      "says:  [count]",
      "count: ok",
      "input: rather so",
      "says: so it is []",
    ]);
    expect(made.model.requests[1]?.entries.map((entry) => entry.kind)).toEqual([
      "input",
      "assistant",
      "result",
      "input",
    ]);
  });

  it("[RT-04] steer: what comes with the last word begins the next turn", async () => {
    const hold = Promise.withResolvers<void>();
    const made = await opened([{ say: "one", until: hold.promise }, answer("two")], turns("steer"));
    await made.send("first");
    const settling = made.settle();
    await made.model.asked(1);
    await made.send("second");
    hold.resolve();
    expect(await settling).toEqual(["done", "done"]);
    expect(await told(made)).toEqual(["input: first", "says: one []", "input: second", "says: two []"]);
  });

  it("[RT-04, IN-03] steer: a crash after the message was taken in delivers it once", async () => {
    const { tool } = counter(async () => void (await before.send("rather so")));
    const before = await opened([calls("count"), { until: new Promise(() => undefined) }], {
      tools: [tool],
      ...turns("steer"),
    });
    await before.send("go");
    void before.settle();
    const lost = await before.model.asked(2);
    const after = await world([answer("so it is")], {
      ...turns("steer"),
      store: before.store,
      clock: before.clock,
      node: "node-2",
    });
    expect(await after.settle()).toEqual(["done"]);
    expect(after.model.requests[0]?.entries).toEqual(lost.entries);
    expect((await told(after)).filter((line) => line === "input: rather so")).toHaveLength(1);
  });

  it("[RT-04] interrupt: stops the model and the tool, and is taken up at once", async () => {
    const { tool, begun } = counter(({ signal }) => stopOf(signal));
    const made = await opened([calls("count", "count"), answer("this then")], { tools: [tool], ...turns("interrupt") });
    await made.send("go");
    const settling = made.settle();
    await begun;
    await made.send("no, this");
    expect(await settling).toEqual(["done", "done"]);
    expect(await told(made)).toEqual([
      "input: go",
      "says:  [count, count]",
      "count: ok",
      "count: skipped",
      "input: no, this",
      "says: this then []",
    ]);
  });

  it("[RT-04] queue is the default", async () => {
    const { tool } = counter(async () => void (await made.send("later")));
    const made = await opened([calls("count"), answer("one"), answer("two")], { tools: [tool] });
    await made.send("go");
    expect(await made.settle()).toEqual(["done", "done"]);
    expect(await told(made)).toEqual([
      "input: go",
      "says:  [count]",
      "count: ok",
      "says: one []",
      "input: later",
      "says: two []",
    ]);
  });
});
