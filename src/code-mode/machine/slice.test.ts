/** The machine of code mode: which cells wait, and whose they are. */
import { describe, expect, it } from "vitest";
import { resolveCodeMode } from "../settings.ts";
import { type CodeModeEvent, CodeModeState, WAITING_CELLS_MAX } from "../protocol/state.ts";
import { evolveCodeMode } from "./evolve.ts";
import { codeModeSlice } from "./slice.ts";

const settings = resolveCodeMode({ tools: { codeMode: true }, agent: undefined });
const off = resolveCodeMode({ tools: {}, agent: undefined });
const runId = (n: number) => `cell_${String(n).padStart(22, "0")}`;
const at = (nowMs: number, change: object = {}) =>
  ({ nowMs, settings, session: { turn: { status: "idle" } }, ...change }) as never;
const cell = (n: number, keptUntilMs = 100) => ({ runId: runId(n), keptUntilMs, bytes: 5 });
const after = (state: CodeModeState, events: readonly CodeModeEvent[]): CodeModeState => {
  const next = events.reduce(evolveCodeMode, state);
  expect(CodeModeState.parse(next)).toEqual(next);
  return next;
};
const decided = (state: CodeModeState, command: object, nowMs = 0) => {
  const decision = codeModeSlice.decide(state, command as never, at(nowMs));
  if ("refused" in decision) return { state, reply: decision.refused.code };
  return { state: after(state, decision.events), reply: decision.reply };
};
const suspended = (state: CodeModeState, n: number, nowMs = 0) =>
  decided(state, { type: "suspend", run: state.run ?? 0, cell: cell(n) }, nowMs);

describe("cells that wait", () => {
  it("[CM-05] 61, 62: are resumed once at a time, and end once", () => {
    const { state } = suspended({}, 1);
    const resumed = decided(state, { type: "resume", runId: runId(1) });
    expect(resumed.reply).toEqual({ found: "waiting" });
    expect(decided(resumed.state, { type: "resume", runId: runId(1) }).reply).toEqual({ found: "running" });
    const ended = decided(resumed.state, { type: "end", runId: runId(1), as: "completed" });
    expect(ended.state).toEqual({ cells: [], ended: [{ runId: runId(1), as: "completed" }] });
    expect(decided(ended.state, { type: "resume", runId: runId(1) }).reply).toEqual({ found: "none" });
  });

  it("[CM-05] 63: belong to a run; a message to an agent at rest begins another, one to an agent at work after its turn", () => {
    const { state } = suspended({}, 1);
    const message = (from: CodeModeState, status: string) =>
      after(from, codeModeSlice.on?.message?.(from, at(0, { session: { turn: { status } } })) ?? []);
    const ended = (from: CodeModeState, outcome: string) =>
      after(from, codeModeSlice.on?.turnEnd?.(from, outcome, at(0)) ?? []);
    const resumes = (from: CodeModeState) => decided(from, { type: "resume", runId: runId(1) }).reply;
    expect(resumes(message(state, "idle"))).toEqual({ found: "none" });
    expect(resumes(message(state, "requested"))).toEqual({ found: "waiting" });
    const queued = message(state, "running");
    expect(resumes(queued)).toEqual({ found: "waiting" });
    expect(resumes(ended(queued, "done"))).toEqual({ found: "none" });
    expect(resumes(ended(state, "done"))).toEqual({ found: "waiting" });
    expect(resumes(ended(state, "aborted"))).toEqual({ found: "aborted" });
  });

  it("[CM-05] 63, 65: nobody can resume any more end with the run that they belong to, and have their snapshot dropped", () => {
    const two = suspended(suspended({}, 1).state, 2).state;
    const message = codeModeSlice.on?.message?.(two, at(0)) ?? [];
    const ended = [
      { type: "cell.ended", runId: runId(1), as: "failed" },
      { type: "cell.ended", runId: runId(2), as: "failed" },
    ];
    expect(message).toEqual([...ended, { type: "run.began" }]);
    expect(after(two, message)).toMatchObject({ cells: [], run: 1 });
    const followed: CodeModeState = { ...two, another: true };
    expect(codeModeSlice.on?.turnEnd?.(followed, "done", at(0))).toEqual([...ended, { type: "run.began" }]);
    const aborted = codeModeSlice.on?.turnEnd?.(followed, "aborted", at(0)) ?? [];
    expect(aborted.map((event) => ("as" in event ? event.as : event.type))).toEqual([
      "aborted",
      "aborted",
      "run.began",
    ]);
  });

  it("[CM-05] 64, 65: are at most eight, and those whose time is over make room", () => {
    let state: CodeModeState = {};
    for (let n = 0; n < WAITING_CELLS_MAX; n++) state = suspended(state, n).state;
    expect(suspended(state, 99).reply).toBe("STORE_FULL");
    const later = suspended(state, 99, 100).state;
    expect(later.cells).toEqual([{ ...cell(99), run: 0, status: "waiting" }]);
    expect(decided(later, { type: "resume", runId: runId(0) }, 100).reply).toEqual({ found: "expired" });
  });

  it("[CM-05] 65, 130, 172: whose end is known have their snapshot dropped", () => {
    const event = { type: "cell.ended", runId: runId(1), as: "failed" } as const;
    expect(codeModeSlice.effects({}, event, at(0))).toEqual([
      { kind: "perform", order: { do: "forget-snapshot", runId: runId(1) }, key: `forget-snapshot:${runId(1)}` },
    ]);
    expect(codeModeSlice.effects({}, { type: "run.began" }, at(0))).toEqual([]);
  });

  it("[CM-01] 3: where it is off, nothing is followed", () => {
    const quiet = at(0, { settings: off });
    expect(codeModeSlice.on?.message?.({}, quiet)).toEqual([]);
    expect(codeModeSlice.on?.turnEnd?.({}, "done", quiet)).toEqual([]);
    const fact = {
      slice: "planMode",
      event: {
        type: "question.answered",
        questionId: "qst_1",
        answer: "x",
        optionId: null,
        by: { kind: "operator", id: "opr_a" },
        atMs: 0,
      },
    };
    expect(
      codeModeSlice.on?.peerEvent?.({ asked: [{ id: "qst_1", about: "question" }] }, fact as never, quiet),
    ).toEqual([]);
  });
});
