/** Methods about the configuration file. */
import { z } from "zod";
import { Json, JsonObject } from "../json.ts";
import { method } from "./method.ts";

export const CONFIG_METHODS = {
  "config.get": method("operator.read", "The configuration, or one value of it, secrets left out.", () => ({
    params: z.strictObject({ path: z.string().max(200).optional() }),
    result: z.strictObject({ value: Json, file: z.string() }),
  })),
  "config.set": method("operator.admin", "Sets one value in the configuration file and applies it.", () => ({
    params: z.strictObject({ path: z.string().min(1).max(200), value: Json }),
    result: z.strictObject({ applied: z.boolean(), restartNeeded: z.boolean() }),
  })),
  "config.unset": method("operator.admin", "Removes one value, so that its default holds again.", () => ({
    params: z.strictObject({ path: z.string().min(1).max(200) }),
    result: z.strictObject({ applied: z.boolean(), restartNeeded: z.boolean() }),
  })),
  "config.schema": method("operator.read", "The JSON Schema of the configuration.", () => ({
    params: z.strictObject({}),
    result: z.strictObject({ schema: JsonObject }),
  })),
} as const;
