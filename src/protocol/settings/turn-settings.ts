/** Settings for the turns of an agent. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";

/** Under this name the engine finds them among the settings of a session. */
export const TURN_SETTINGS = "turns";

/** Of the model, in one turn, whoever attends it. */
export const MODEL_REQUESTS_MAX = 100;

const autoContinue = {
  enabled: z.boolean().describe("Go on by itself when a turn ends with approved steps left."),
  maxCycles: z.int().min(1).max(100).describe("Unattended turns in a row before a person must speak."),
  maxIterations: z
    .int()
    .min(1)
    .max(MODEL_REQUESTS_MAX)
    .describe("How often the model may be asked in one turn that nobody attends."),
  stopOnMutation: z.boolean().describe("Do not go on by itself after a turn that changed something."),
};

/** Of one agent; what is left out comes from the defaults. */
export const AutoContinueOverride = lazySchema(() => z.strictObject(autoContinue).partial());

/** How the turns of one agent's sessions run. */
export const TurnSettings = z.strictObject({
  queueMode: z
    .enum(["queue", "steer", "interrupt"])
    .default("queue")
    .describe(
      "A message sent while a turn runs waits for the next turn (queue), joins this one at its next model request (steer), or stops it and is taken up at once (interrupt).",
    ),
  autoContinue: z
    .strictObject({
      enabled: autoContinue.enabled.default(false),
      maxCycles: autoContinue.maxCycles.default(5),
      maxIterations: autoContinue.maxIterations.default(MODEL_REQUESTS_MAX),
      stopOnMutation: autoContinue.stopOnMutation.default(true),
    })
    .prefault({}),
  contextTokens: z
    .int()
    .min(4_000)
    .max(10_000_000)
    .optional()
    .describe("How many tokens the model can read at once; before it is full, older parts are summarised."),
});
export type TurnSettings = z.infer<typeof TurnSettings>;

/** Settings that nobody gave, or that cannot be read, are the cautious ones. */
export function turnSettings(settings: Readonly<Record<string, unknown>>): TurnSettings {
  const parsed = TurnSettings.safeParse(settings[TURN_SETTINGS] ?? {});
  return parsed.success ? parsed.data : TurnSettings.parse({});
}
