/** The answer of `stats`: figures for the charts on the page. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";

const count = z.int().nonnegative();

/** How long people were waited for, over what was decided. */
const Waited = lazySchema(() => z.strictObject({ count, medianMs: count, p90Ms: count, longestMs: count }));

/** Small numbers for small charts. Days are of UTC. */
export const Stats = lazySchema(() =>
  z.strictObject({
    /** The oldest row that was counted; null when there is none. */
    fromMs: z.int().nullable(),
    /** False when there are older rows that were not looked at. */
    complete: z.boolean(),
    days: z.array(
      z.strictObject({
        day: z.iso.date(),
        submitted: count,
        approved: count,
        rejected: count,
        expired: count,
        refusals: count,
      }),
    ),
    plansWaited: Waited,
    questionsWaited: Waited,
    /** Most frequent first. */
    refusalsByRule: z.array(z.strictObject({ rule: z.string(), count })),
  }),
);
export type Stats = z.infer<typeof Stats>;
