import { expect, it } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { changesTo, type Mode, modeControlsOf, modeOf, MODES, offeredModes, warningFor } from "./mode-of.ts";

const HELD = { id: ApprovalId.parse("apr_1"), by: { kind: "operator" as const, id: "opr_1", name: "Bob" }, atMs: 1 };
const normal = { now: { mode: "normal" as const }, auto: false };
const plan = { now: { mode: "plan" as const }, auto: false };

it.each([
  [normal, "default"],
  [{ ...normal, permission: "ask" as const }, "ask"],
  [{ ...normal, permission: "accept" as const }, "accept"],
  [{ ...normal, permission: "bypass" as const }, "bypass"],
  [{ ...plan, permission: "bypass" as const }, "plan"],
  [{ ...plan, auto: true }, "auto"],
  [{ ...normal, auto: true }, "default"],
  [{ ...normal, auto: true, permission: "ask" as const }, "ask"],
  [{ ...normal, permission: "bypass" as const, held: HELD }, "held"],
  [{ ...normal, nextRequestPlans: true }, "plan"],
  [{ ...normal, nextRequestPlans: true, auto: true }, "auto"],
  [{ now: { mode: "executing" as const }, auto: true }, "auto"],
  [{ now: { mode: "executing" as const }, auto: false, permission: "ask" as const }, "ask"],
])("[UI-03] shows %j as %s", (state, shown) => expect(modeOf(state)).toBe(shown));

it("[UI-03] shows a permission mode that it does not know as Custom", () => {
  const state: Parameters<typeof modeOf>[0] = { ...normal };
  Reflect.set(state, "permission", "constructor");
  expect(modeOf(state)).toBe("custom");
});

it("[UI-03] [PL-02] offers no plan mode where the feature is off, except to a cycle that is still open", () => {
  const all = ["default", "ask", "accept", "plan", "auto", "bypass"];
  const without = ["default", "ask", "accept", "bypass"];
  expect(offeredModes({ enabled: true }, "default")).toEqual(all);
  expect(offeredModes({ enabled: false }, "default")).toEqual(without);
  expect(offeredModes({ enabled: false }, "plan")).toEqual(["default", "ask", "accept", "plan", "bypass"]);
  expect(modeControlsOf({})).toEqual({ enabled: true, nextRequestPlans: false }); // a gateway that says nothing of it
  expect(modeControlsOf({ controls: { planMode: { enabled: false, nextRequestPlans: true } } })).toEqual({
    enabled: false,
    nextRequestPlans: true,
  });
});

type State = Parameters<typeof modeOf>[0];

function after(state: State, mode: Mode): State {
  let now = state;
  for (const change of changesTo(mode, state)) {
    if ("planMode" in change) now = { ...now, now: { mode: change.planMode }, nextRequestPlans: false };
    else if ("permissionMode" in change) now = { ...now, permission: change.permissionMode ?? "default" };
    else now = { ...now, auto: change.planApproval.enabled };
  }
  return now;
}

it("[UI-03] reaches every mode from every other", () => {
  const executing: State = { now: { mode: "executing" }, auto: false };
  const froms: State[] = [
    normal,
    plan,
    executing,
    { ...executing, auto: true },
    { ...plan, auto: true, permission: "bypass" },
    { ...normal, auto: true },
    { ...normal, nextRequestPlans: true },
  ];
  for (const from of froms) for (const mode of MODES) expect(modeOf(after(from, mode))).toBe(mode);
});

it("[UI-03] asks before it ends what a person has approved, or what waits for them", () => {
  const executing = { now: { phase: "executing", mode: "executing" }, auto: false } as const;
  const pending = { now: { phase: "pending", mode: "plan" }, auto: false } as const;
  const asked = (from: Parameters<typeof warningFor>[1]) => MODES.map((mode) => warningFor(mode, from));
  expect(asked(executing)).toEqual([undefined, undefined, undefined, "replan", "auto", "bypass"]);
  expect(asked(pending)).toEqual(["leave", "leave", "leave", undefined, "auto", "bypass"]);
});

it("[UI-03] tightens before it opens, and lets a running plan run", () => {
  expect(changesTo("default", { ...plan, auto: true, permission: "bypass" })).toEqual([
    { planApproval: { action: "auto", enabled: false } },
    { permissionMode: null },
    { planMode: "normal" },
  ]);
  expect(changesTo("ask", { now: { mode: "executing" }, auto: false })).toEqual([{ permissionMode: "ask" }]);
  expect(changesTo("plan", { ...normal, auto: true })[0]).toEqual({ planApproval: { action: "auto", enabled: false } });
});
