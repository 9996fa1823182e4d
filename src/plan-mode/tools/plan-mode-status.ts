/** The tool `plan_mode_status`. */
import { z } from "zod";
import type { StateTool } from "../../plugins/sdk.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { planToolsOffered } from "./offered.ts";

const input = z.strictObject({});

/** Ends the description of each other plan tool, so that an agent looks where things stand instead of guessing. */
export const SEE_STATUS = "To see where things stand, call plan_mode_status.";

/** A command that changes nothing: the answer is the state that the session has in that very transaction. */
export const planModeStatus: StateTool<z.infer<typeof input>> = {
  name: "plan_mode_status",
  description: "The session's mode, the plan before a person, the steps and the open question, as they are stored now.",
  input,
  kind: "read_only",
  effect: "state",
  slice: PLAN_MODE_SLICE,
  offered: planToolsOffered,
  toCommand: async () => ({ command: { type: "status" } }),
};
