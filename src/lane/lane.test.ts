import { describe, expect, it } from "vitest";
import { createLane, createLanes } from "./lane.ts";

describe("a lane per key", () => {
  it("runs the work of one key in order of arrival, one at a time", async () => {
    const lanes = createLanes();
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = lanes.run("a", async () => {
      seen.push("first begins");
      await gate.promise;
      seen.push("first ends");
    });
    const second = lanes.run("a", async () => void seen.push("second"));
    const third = lanes.run("a", async () => void seen.push("third"));
    await Promise.resolve();
    expect(seen).toEqual(["first begins"]);
    gate.resolve();
    await Promise.all([first, second, third]);
    expect(seen).toEqual(["first begins", "first ends", "second", "third"]);
  });

  it("does not let one key wait for another", async () => {
    const lanes = createLanes();
    const gate = Promise.withResolvers<void>();
    const stuck = lanes.run("a", () => gate.promise);
    expect(await lanes.run("b", async () => "free")).toBe("free");
    gate.resolve();
    await stuck;
  });

  it("goes on after work that failed, and hands the failure to its caller alone", async () => {
    const lanes = createLanes();
    const failing = lanes.run("a", async () => {
      throw new Error("no");
    });
    const next = lanes.run("a", async () => "yes");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });

  it("forgets a lane when its last work is done, so that keys do not pile up", async () => {
    const lanes = createLanes();
    await Promise.all(["a", "b", "a"].map((key) => lanes.run(key, async () => key)));
    await lanes.idle();
    expect(lanes.size).toBe(0);
  });

  it("is idle only when work that arrived during the wait is done too", async () => {
    const lanes = createLanes();
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = lanes.run("a", () => gate.promise);
    const idle = lanes.idle().then(() => void seen.push("idle"));
    const late = lanes.run("b", async () => {
      await first;
      seen.push("late");
    });
    gate.resolve();
    await Promise.all([idle, late]);
    expect(seen).toEqual(["late", "idle"]);
  });

  it("keeps a lane for as long as somebody waits in it, so that who comes later waits as well", async () => {
    const lanes = createLanes();
    const seen: string[] = [];
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const one = lanes.run("a", () => first.promise);
    const two = lanes.run("a", () => second.promise.then(() => void seen.push("second")));
    first.resolve();
    await one;
    await Promise.resolve(); // the lane has heard of it
    const three = lanes.run("a", async () => void seen.push("third"));
    second.resolve();
    await Promise.all([two, three]);
    expect(seen).toEqual(["second", "third"]);
  });
});

it("one lane for all runs one thing at a time and hands each its result", async () => {
  const run = createLane();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = run(() => gate.promise.then(() => seen.push("first")));
  const second = run(async () => seen.push("second"));
  gate.resolve();
  expect([await first, await second, seen]).toEqual([1, 2, ["first", "second"]]);
});
