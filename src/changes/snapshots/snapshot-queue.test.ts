import { describe, expect, it } from "vitest";
import { snapshotWorld } from "../../../test/kit/snapshot-world.ts";
import { finish, type Sliced, TakesTooLong } from "./sliced.ts";
import { createSnapshotQueue } from "./snapshot-queue.ts";

const SLICE_MS = 10;

/** Work whose slices take 10 ms of a clock of its own. */
function queueWorld(ownMsMax = 1_000) {
  const clock = { nowMs: 0 };
  const turns: (() => void)[] = [];
  const log: string[] = [];
  const queue = createSnapshotQueue({ nowMs: () => clock.nowMs, later: (turn) => turns.push(turn), ownMsMax });
  function* slices(name: string, count: number): Sliced<void> {
    log.push(`${name} begins`);
    for (let n = 0; n < count; n++) {
      clock.nowMs += SLICE_MS;
      yield;
    }
  }
  const closing = (name: string) => ({
    done: () => void log.push(`${name} done`),
    failed: (error: unknown) => void log.push(`${name} ${error instanceof TakesTooLong ? "takes too long" : "failed"}`),
  });
  return {
    log,
    add(name: string, keys: readonly string[], count: number) {
      queue.add({ keys, start: () => slices(name, count), ...closing(name) });
    },
    addFailing(name: string) {
      queue.add({
        keys: [name],
        // oxlint-disable-next-line require-yield -- it fails before its first slice ends
        *start(): Sliced<void> {
          throw new Error("no such folder");
        },
        ...closing(name),
      });
    },
    run() {
      for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) turn();
      return log;
    },
  };
}

describe("whose turn it is", () => {
  it("[BY-09] large workspaces take turns with small ones, and all of them come to their end", () => {
    const at = queueWorld();
    for (const name of ["large 1", "large 2", "large 3"]) at.add(name, [name], 50);
    at.add("small", ["small"], 2);
    expect(at.run().filter((line) => line.endsWith("done"))).toEqual([
      "small done",
      "large 1 done",
      "large 2 done",
      "large 3 done",
    ]);
  });

  it("[BY-09] what is about one session or one workspace is done in order", () => {
    const at = queueWorld();
    at.add("first", ["s1", "w1"], 3);
    at.add("same workspace", ["s2", "w1"], 1);
    at.add("same session", ["s1"], 1);
    at.add("behind the one that waits", ["s2"], 1);
    at.add("another", ["s3", "w3"], 1);
    expect(at.run()).toEqual([
      "first begins",
      "another begins",
      "another done",
      "first done",
      "same workspace begins",
      "same session begins",
      "same workspace done",
      "same session done",
      "behind the one that waits begins",
      "behind the one that waits done",
    ]);
  });

  it("[BY-09] only its own time counts for each, and what uses it up ends and nothing else does", () => {
    const at = queueWorld(200);
    at.add("endless", ["w1"], Infinity);
    at.add("long", ["w2"], 19);
    at.addFailing("missing");
    at.add("after it", ["w1"], 1);
    expect(at.run().filter((line) => !line.endsWith("begins"))).toEqual([
      "missing failed",
      "long done",
      "endless takes too long",
      "after it done",
    ]);
  });

  it("[BY-09] at most eight are under way at once", () => {
    const at = queueWorld();
    for (let n = 1; n <= 9; n++) at.add(`w${n}`, [`w${n}`], n === 1 ? 3 : 40);
    const log = at.run();
    expect(log.indexOf("w9 begins")).toBeGreaterThan(log.indexOf("w1 done"));
  });
});

describe("a workspace that is too large", () => {
  it("[BY-09] is said to be so, is not looked at again, and the files that a call names are kept all the same", () => {
    const at = snapshotWorld();
    for (let n = 0; n < 30; n++) at.write(`many/${n}`, "x");
    const call = { callId: "call_1", tool: "exec", atMs: 1 };
    const look = at.record.before(call);
    look.next();
    expect(() => look.throw(new TakesTooLong())).toThrow("too large to be snapshotted");
    expect(() => finish(at.record.before(call))).toThrow("too large to be snapshotted");
    const named = at.call(1, () => at.write("many/1", "y"), ["many/1"]);
    expect(named).toEqual({ outside: 0, changed: ["modified many/1"] });
    expect(at.rollback()).toEqual({ restored: ["many/1"], left: [] });
  });

  it("[BY-09] a call whose look took too long does not stay under way", () => {
    const at = snapshotWorld();
    for (let n = 0; n < 30; n++) at.write(`many/${n}`, "x");
    const { n } = finish(at.record.before({ callId: "call_1", tool: "exec", atMs: 1 }));
    at.write("many/1", "y");
    const look = at.record.after({ n, atMs: 2, status: "ok" });
    look.next();
    expect(() => look.throw(new TakesTooLong())).toThrow("too large");
    expect(at.record.isBusy()).toBe(false);
    expect(at.call(1, () => undefined)).toEqual({ outside: 0, changed: [] });
    expect(at.rollback()).toEqual({ restored: ["many/1"], left: [] });
  });
});
