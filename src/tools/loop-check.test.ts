import { describe, expect, it } from "vitest";
import { TurnId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import { createLoopCheck, REFUSE_AT, STOP_AT, WARN_AT, withWarning } from "./loop-check.ts";

const turn = TurnId.parse("trn_1");
const call = (tool: string, n = 1) => ({ callId: "c", tool, args: { n } });

/** How each of these calls is answered: run, run with a warning, refused, or the end of the turn. */
function play() {
  const loops = createLoopCheck();
  return (tool: string, { result = "same", n = 1, changes = false, at = turn }: Partial<Play> = {}): string => {
    const watched = loops.watch(at, call(tool, n));
    if (watched.stop !== undefined) return watched.stop.endTurn ? "stop" : "refuse";
    return watched.ended(result, changes) === undefined ? "run" : "warn";
  };
}
type Play = { result: Json; n: number; changes: boolean; at: TurnId };

const times = (count: number, one: () => string): string[] => Array.from({ length: count }, one);

describe("repeated identical calls", () => {
  it("[RT-07] are warned about, then refused, then end the turn", () => {
    const make = play();
    expect(times(9, () => make("read"))).toEqual([
      "run",
      "run",
      "warn",
      "warn",
      "refuse",
      "refuse",
      "refuse",
      "stop",
      "stop",
    ]);
    expect([WARN_AT, REFUSE_AT, STOP_AT]).toEqual([3, 5, 8]);
  });

  it("[RT-07] are no loop when the results move", () => {
    const make = play();
    let n = 0;
    expect(new Set(times(20, () => make("process", { result: { seconds: n++ } })))).toEqual(new Set(["run"]));
  });

  it("[RT-07] are counted through other calls in between", () => {
    const make = play();
    const seen = times(5, () => {
      make("glob");
      return make("read");
    });
    expect(seen).toEqual(["run", "run", "warn", "warn", "refuse"]);
  });

  it("[RT-07] are no loop when something new was changed in between", () => {
    const make = play();
    let n = 0;
    const seen = times(8, () => {
      make("edit", { n: n++, changes: true });
      return make("exec");
    });
    expect(new Set(seen)).toEqual(new Set(["run"]));
  });

  it("[RT-07] are a loop when the same change is made again and again", () => {
    const make = play();
    const seen = times(6, () => {
      make("edit", { changes: true });
      return make("exec");
    });
    expect(seen.at(-1)).toBe("refuse");
  });

  it("[RT-07] are counted within a turn, and by their arguments", () => {
    const make = play();
    times(4, () => make("read"));
    expect(make("read", { at: TurnId.parse("trn_2") })).toBe("run");
    expect(make("read", { n: 2 })).toBe("run");
    expect(make("read")).toBe("refuse");
  });

  it("[RT-07] carry guidance that the model can act on", () => {
    const loops = createLoopCheck();
    times(4, () => loops.watch(turn, call("read")).ended("same", false) ?? "");
    expect(loops.watch(turn, call("read")).stop).toMatchObject({
      endTurn: false,
      refusal: { rule: "loop/repeated-call", hint: expect.stringContaining("Do something else") },
    });
  });

  it.each<[Json, Json]>([
    ["text", "text\n[w]"],
    [{ a: 1 }, { a: 1, repeated: "w" }],
    [[1], { result: [1], repeated: "w" }],
    [null, { result: null, repeated: "w" }],
  ])("[RT-07] put the warning where the model reads it: %j", (content, expected) => {
    expect(withWarning(content, "w")).toEqual(expected);
    expect(withWarning(content, undefined)).toEqual(content);
  });
});
