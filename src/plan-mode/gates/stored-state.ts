/** The stored state of plan mode, parsed once for as long as it stands. */
import type { Json } from "../../protocol/json.ts";
import { PlanModeState } from "../protocol/state.ts";

const parsed = new WeakMap<object, PlanModeState>();

/** A stored state never changes, so each is parsed once. One that cannot be read throws, and that blocks. */
export function stateOf(stored: Json): PlanModeState {
  const key: object = Object(stored); // what is no object is kept nowhere
  const state = parsed.get(key) ?? PlanModeState.parse(stored);
  parsed.set(key, state);
  return state;
}
