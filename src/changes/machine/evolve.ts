/** How the facts about changes alter what a session keeps of them. */
import { never } from "../../plugins/sdk.ts";
import { type ChangesEvent, type ChangesState, type CycleChanges, FAILURES_MAX } from "../protocol/state.ts";

export function evolveChanges(state: ChangesState, event: ChangesEvent): ChangesState {
  switch (event.type) {
    case "changes.recorded":
      return { ...state, cycle: recorded(state, event) };
    case "changes.drifted":
      return state.cycle === undefined ? state : { ...state, cycle: { ...state.cycle, level: event.level } };
    case "changes.resumed":
      return state.cycle === undefined
        ? state
        : { ...state, cycle: { ...state.cycle, level: "warned", accepted: state.cycle.undeclared } };
    case "changes.rollback_ordered": {
      const { rollbackId, cycleId, step, by, atMs } = event;
      return { ...state, rollback: { rollbackId, cycleId, step, by, atMs } };
    }
    case "changes.rolled_back": {
      const { rollback: _done, ...rest } = state;
      return rest;
    }
    case "changes.listed":
      return state;
    default:
      return never(event);
  }
}

function recorded(
  { cycle }: ChangesState,
  { cycleId, undeclared, amended, failure }: Extract<ChangesEvent, { type: "changes.recorded" }>,
): CycleChanges {
  const before: CycleChanges = cycle?.cycleId === cycleId ? cycle : { cycleId, calls: 0, undeclared: 0, level: "none" };
  const failures = failure === undefined ? before.failures : [...(before.failures ?? []), failure].slice(-FAILURES_MAX);
  return {
    ...before,
    calls: before.calls + 1,
    undeclared,
    ...(failures === undefined ? {} : { failures }),
    ...(amended === undefined ? {} : { amended }),
  };
}
