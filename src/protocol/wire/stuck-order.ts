/** An order of a slice that does not come to an end, as operators are shown it. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";

export const StuckOrder = lazySchema(() =>
  z.strictObject({
    sessionId: z.string(),
    slice: z.string(),
    /** Its kind. */
    order: z.string(),
    /** `no-worker`: no plugin that is switched on takes it; it is kept until one does. */
    status: z.enum(["no-worker", "failed", "later", "performing"]),
    /** When it was given. */
    sinceMs: z.int(),
    attempts: z.int(),
    /** One line; empty where nothing failed. */
    lastError: z.string(),
  }),
);
export type StuckOrder = z.infer<typeof StuckOrder>;
