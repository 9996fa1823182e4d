/** The tool `ask_user_question`. */
import { z } from "zod";
import { AskedOption } from "../protocol/command.ts";
import { Json } from "../../protocol/json.ts";
import type { StateTool } from "../../plugins/sdk.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { planToolsOffered } from "./offered.ts";
import { SEE_STATUS } from "./plan-mode-status.ts";

const input = z.strictObject({
  question: z.string().describe("One question that only a person can answer: a preference, a priority, a trade-off."),
  options: z.array(AskedOption).describe("2 to 6 answers to choose from, each a text or {id?, label, description?}."),
  allowFreetext: z.boolean().optional().describe("true: the person may also answer in their own words."),
});

export const askUserQuestion: StateTool<z.infer<typeof input>> = {
  name: "ask_user_question",
  example: {
    question: "Keep the old endpoint for a release?",
    options: ["Keep it and mark it as deprecated", "Remove it now"],
  },
  description:
    "Ask the person one question and stop: the turn ends, and you are resumed with the answer. The mode does not change. " +
    `Look facts up yourself; ask for preferences. ${SEE_STATUS}`,
  input,
  kind: "read_only",
  effect: "state",
  slice: PLAN_MODE_SLICE,
  offered: planToolsOffered,
  toCommand: async ({ question, options, allowFreetext }, { callId }) => ({
    command: {
      type: "ask",
      callId,
      question,
      options: Json.parse(options),
      ...(allowFreetext === undefined ? {} : { allowFreetext }),
    },
  }),
};
