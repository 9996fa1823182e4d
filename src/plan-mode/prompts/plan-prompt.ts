/** Plan mode's part of the system prompt. */
import { z } from "zod";
import { SessionMode } from "../protocol/state.ts";
import type { PromptPart } from "../../plugins/sdk.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { EXECUTING_PROMPT } from "./executing.ts";
import { PLANNING_PROMPT } from "./planning.ts";

const Mode = z.object({ now: z.object({ mode: SessionMode }) });

const PROMPTS: Readonly<Record<SessionMode, string | undefined>> = {
  normal: undefined,
  plan: PLANNING_PROMPT,
  executing: EXECUTING_PROMPT,
};

/** Decided by the stored mode alone: nothing in it changes from turn to turn, so that prompt caches hit. */
export const planPrompt: PromptPart = {
  id: "plan-mode",
  text({ session }) {
    const stored = Mode.safeParse(session.slices[PLAN_MODE_SLICE]);
    return stored.success ? PROMPTS[stored.data.now.mode] : undefined;
  },
};
