/** Plan mode's part of the system prompt. */
import { z } from "zod";
import { SessionMode } from "../protocol/state.ts";
import type { PromptPart } from "../../plugins/sdk.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { ChosenArchetype } from "../protocol/template/archetype.ts";
import { archetypePrompt } from "./archetypes.ts";
import { ACCEPT_EDITS_PROMPT, EXECUTING_PROMPT } from "./executing.ts";
import { PLANNING_PROMPT } from "./planning.ts";

const Mode = z.object({
  now: z.object({
    mode: SessionMode,
    approval: z.string().optional(),
    cycle: z.object({ archetype: ChosenArchetype.optional() }).optional(),
  }),
});

const PROMPTS: Readonly<Record<SessionMode, string | undefined>> = {
  normal: undefined,
  plan: PLANNING_PROMPT,
  executing: EXECUTING_PROMPT,
};

const EDITED_PROMPT = `${EXECUTING_PROMPT}\n\n${ACCEPT_EDITS_PROMPT}`;

/** Decided by the stored mode, the kind of the approval and of the plan: nothing in it changes from turn to turn, so that prompt caches hit. */
export const planPrompt: PromptPart = {
  id: "plan-mode",
  text({ session }) {
    const stored = Mode.safeParse(session.slices[PLAN_MODE_SLICE]);
    if (!stored.success) return undefined;
    const { mode, approval, cycle } = stored.data.now;
    if (mode === "plan" && cycle?.archetype !== undefined)
      return `${PLANNING_PROMPT}\n\n${archetypePrompt(cycle.archetype.name)}`;
    return mode === "executing" && approval === "edited" ? EDITED_PROMPT : PROMPTS[mode];
  },
};
