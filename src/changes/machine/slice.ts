/** The machine of changes in a session: counts, drift, and the rollback that is under way. */
import type { Slice } from "../../plugins/sdk.ts";
import { CHANGES_SLICE, ChangesCommand, type ChangesEvent, ChangesState } from "../protocol/state.ts";
import { ChangesSettings } from "../settings.ts";
import { decideChanges } from "./decide.ts";
import { afterPlan, changesEffects } from "./effects.ts";
import { evolveChanges } from "./evolve.ts";
import { guardChanges } from "./guard.ts";

export const changesSlice: Slice<ChangesState, ChangesCommand, ChangesEvent, ChangesSettings> = {
  name: CHANGES_SLICE,
  state: ChangesState,
  command: ChangesCommand,
  settings: ChangesSettings,
  initial: {},
  decide: decideChanges,
  evolve: evolveChanges,
  effects: changesEffects,
  guard: guardChanges,
  on: { peerEffects: afterPlan },
};
