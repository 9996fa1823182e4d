/** The method that says what a new session would work with. */
import { z } from "zod";
import { method } from "./method.ts";

export const SESSION_DEFAULTS = {
  "sessions.defaults": method(
    "operator.read",
    "What a new session of the caller would work with, and the models that could be chosen instead.",
    () => ({
      params: z.strictObject({}),
      result: z.strictObject({
        agentId: z.string(),
        workspace: z.string(),
        /** Asked in this order. */
        models: z.array(z.string()),
        /** The path of the setting that chooses them, for `config.set`; null where the agent has models of its own. */
        modelSetting: z.string().nullable(),
        /** `ready`: it needs no key, or the key of its provider is there. */
        choosable: z.array(z.strictObject({ name: z.string(), ready: z.boolean() })),
      }),
    }),
  ),
} as const;
