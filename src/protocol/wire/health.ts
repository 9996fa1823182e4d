/** The method `health`: whether the gateway and its store can work. */
import { z } from "zod";
import { method } from "./method.ts";

export const health = method("operator.read", "Whether the gateway and its store can work.", () => ({
  params: z.strictObject({}),
  result: z.strictObject({
    ready: z.boolean(),
    /** `damage`: rows that were found damaged or altered since the start. */
    store: z.strictObject({ writable: z.boolean(), detail: z.string(), damage: z.string().exactOptional() }),
    /** How far the clock of this node is ahead of the store's, by which everything goes. */
    clockSkewMs: z.int().optional(),
  }),
}));
