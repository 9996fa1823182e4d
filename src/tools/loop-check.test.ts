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

  it("[RT-07] are warned about and refused in words that say how often, and what comes next", () => {
    const loops = createLoopCheck();
    const watched = times(2, () => loops.watch(turn, call("read")).ended("same", false) ?? "");
    expect(watched).toEqual(["", ""]);
    expect(loops.watch(turn, call("read")).ended("same", false)).toBe(
      "This was call 3 with these arguments in this turn, and its result has not changed. Calling it again will not change it: do something else. From call 5 on it is refused.",
    );
    loops.watch(turn, call("read")).ended("same", false);
    const refused = (count: number, endTurn: boolean, hint: string) => ({
      endTurn,
      refusal: {
        tool_name: "read",
        tool_kind: "dispatch",
        hint,
        entered_at: null,
        entered_reason: null,
        rule: "loop/repeated-call",
        matched: `call ${count} with the same arguments and the same result`,
        message: `read was not run: it was called ${count} times with the same arguments in this turn, and nothing changed. ${hint}`,
      },
    });
    const next = () => loops.watch(turn, call("read"));
    const other = "Do something else: other arguments, another tool, or ask the person. At call 8 the turn ends.";
    expect([next(), next(), next()].map(({ stop }) => stop)).toEqual([5, 6, 7].map((n) => refused(n, false, other)));
    const last = "The turn ends here. Tell the person what you tried, and what you need.";
    const stopped = next();
    expect(stopped.stop).toEqual(refused(8, true, last));
    expect(stopped.ended("same", false)).toBeUndefined();
  });

  it("[RT-07] are forgotten with the oldest of many turns, of which the one that was just used is none", () => {
    const make = play();
    const at = (n: number) => TurnId.parse(`trn_${n}`);
    times(4, () => make("read", { at: at(1) }));
    times(4, () => make("read", { at: at(2) }));
    make("glob", { at: at(1) });
    for (let n = 3; n <= 256; n++) make("read", { at: at(n) });
    expect(make("read", { at: at(257) })).toBe("run"); // the second turn goes: it is the one that rested longest
    expect(make("read", { at: at(1) })).toBe("refuse");
    expect(make("read", { at: at(2) })).toBe("run");
  });

  it("[RT-07] that run at the same time are one call: the later sees what the earlier ended with", () => {
    const loops = createLoopCheck();
    const together = Array.from({ length: 3 }, () => loops.watch(turn, call("read")));
    expect(together.map(({ ended }) => ended("same", false) !== undefined)).toEqual([false, false, true]);
  });

  it.each<[Json, Json]>([
    ["text", "text\n[w]"],
    [7, { result: 7, repeated: "w" }],
    [{ a: 1 }, { a: 1, repeated: "w" }],
    [[1], { result: [1], repeated: "w" }],
    [null, { result: null, repeated: "w" }],
  ])("[RT-07] put the warning where the model reads it: %j", (content, expected) => {
    expect(withWarning(content, "w")).toEqual(expected);
    expect(withWarning(content, undefined)).toEqual(content);
  });
});
