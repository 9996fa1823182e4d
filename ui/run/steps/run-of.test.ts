import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/protocol/json.ts";
import type { PlanModeState } from "../../../src/plan-mode/protocol/state.ts";
import type { PlanStep, StepStatus } from "../../../src/plan-mode/protocol/plan.ts";
import type { Happening } from "../../state/record/timeline.ts";
import { runOf } from "./run-of.ts";

let cursor = 0;
const happened = (atMs: number, event: string, payload: JsonObject = {}): Happening => ({
  cursor: (cursor += 1),
  atMs,
  event,
  payload,
});
const step = (text: string, status: StepStatus, more: Partial<PlanStep> = {}): PlanStep => ({
  step: text,
  status,
  ...more,
});
const updated = (atMs: number, ...steps: PlanStep[]): Happening =>
  happened(atMs, "plan.updated", { steps: steps as unknown as JsonObject[] });
const state = (now: object): PlanModeState => ({ now, auto: false, question: null }) as unknown as PlanModeState;
const by = { kind: "operator", id: "opr_1", name: "Alice" };
const executing = (...steps: PlanStep[]): PlanModeState =>
  state({ phase: "executing", steps, submission: { title: "Paint the shed" }, decidedBy: by, decidedAtMs: 100 });

it("[UI-10] a run has its steps with the time that each took, and what was verified", () => {
  const items = [
    happened(90, "call.refused", { refusal: { tool_name: "exec", rule: "plan", message: "before the approval" } }),
    happened(100, "plan.approved", { by }),
    updated(200, step("buy", "in_progress"), step("paint", "pending")),
    happened(250, "call.refused", { refusal: { tool_name: "exec", rule: "R1", message: "No." } }),
    updated(500, step("buy", "completed"), step("paint", "in_progress")),
  ];
  const plan = executing(
    step("buy", "completed", { acceptanceCriteria: ["blue", "matt"], verifiedCriteria: ["blue"] }),
    step("paint", "in_progress", { activeForm: "Painting" }),
  );
  const buy = {
    text: "buy",
    status: "completed",
    doing: undefined,
    criteria: [
      { text: "blue", verified: true },
      { text: "matt", verified: false },
    ],
    startedAtMs: 200,
    endedAtMs: 500,
  };
  const paint = {
    text: "paint",
    status: "in_progress",
    doing: "Painting",
    criteria: [],
    startedAtMs: 500,
    endedAtMs: undefined,
  };
  expect(runOf(plan, items)).toEqual({
    state: "running",
    title: "Paint the shed",
    by: "Alice",
    startedAtMs: 100,
    endedAtMs: undefined,
    steps: [buy, paint],
    done: 1,
    current: paint,
    refusals: [{ cursor: items[3]?.cursor, atMs: 250, tool: "exec", rule: "R1", enteredAt: null }],
  });
});

it("[UI-10] a run that is over says when it ended, and how", () => {
  const items = [
    happened(100, "plan.approved", { by }),
    updated(200, step("buy", "in_progress")),
    updated(700, step("buy", "completed")),
    happened(700, "plan.completed", { title: "Paint the shed" }),
    happened(900, "call.refused", { refusal: { tool_name: "exec", rule: "R1", message: "later" } }),
  ];
  const over = runOf(state({ phase: "off", left: "completed", steps: [step("buy", "completed")] }), items);
  expect(over).toMatchObject({ state: "completed", title: "Paint the shed", by: "Alice", startedAtMs: 100 });
  expect(over).toMatchObject({ endedAtMs: 700, done: 1, current: undefined, refusals: [] });
  const left = runOf(state({ phase: "off", left: "off", steps: [] }), [
    items[0] ?? happened(1, "x"),
    happened(300, "plan.left", { by }),
  ]);
  expect(left).toMatchObject({ state: "left", startedAtMs: 100, endedAtMs: 300, steps: [] });
});

it("[UI-10] steps beyond those that the past tells of are known by their place", () => {
  const many = Array.from({ length: 30 }, (_, n) => step(`step ${n}`, n < 25 ? "completed" : "pending"));
  const cut = happened(300, "plan.updated", {
    steps: many.slice(0, 20) as unknown as JsonObject[],
    statuses: many.map(({ status }, n) => (n === 24 ? "in_progress" : status)),
  });
  const later = happened(400, "plan.updated", {
    steps: many.slice(0, 20) as unknown as JsonObject[],
    statuses: many.map(({ status }) => status),
  });
  const run = runOf(executing(...many), [happened(100, "plan.approved", { by }), cut, later]);
  expect(run?.steps[24]).toMatchObject({ startedAtMs: 300, endedAtMs: 400 });
  expect(run?.steps[25]).toMatchObject({ startedAtMs: undefined, endedAtMs: undefined });
});

it("[UI-10] a step that is taken up again counts anew, and one that is put back has no time", () => {
  const items = [
    happened(100, "plan.approved", { by }),
    updated(200, step("a", "in_progress"), step("b", "in_progress")),
    updated(300, step("a", "completed"), step("b", "pending")),
    updated(400, step("a", "in_progress"), step("b", "pending")),
  ];
  const run = runOf(executing(step("a", "in_progress"), step("b", "pending")), items);
  expect(run?.steps.map(({ startedAtMs, endedAtMs }) => [startedAtMs, endedAtMs])).toEqual([
    [400, undefined],
    [undefined, undefined],
  ]);
});

it("[UI-10] where nothing was carried out there is no run, whatever strange things the past holds", () => {
  expect(runOf(undefined, [])).toBeUndefined();
  expect(runOf(state({ phase: "exploring", steps: [] }), [])).toBeUndefined();
  expect(runOf(state({ phase: "off", left: "never", steps: [] }), [])).toBeUndefined();
  const strange = [happened(1, "plan.updated", { steps: [null, 3, "x"] }), happened(2, "call.refused")];
  expect(runOf(executing(step("a", "pending")), strange)).toMatchObject({
    steps: [{ text: "a", startedAtMs: undefined }],
    refusals: [{ tool: "", rule: "", enteredAt: null }],
  });
});
