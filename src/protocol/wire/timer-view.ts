/** A timer of a session as clients see it: what will happen by itself, and when. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { SessionId } from "../ids.ts";

export const TimerView = lazySchema(() =>
  z.strictObject({
    sessionId: SessionId,
    title: z.string().describe("Of the session."),
    slice: z.string(),
    key: z.string().describe("Which timer of the slice it is."),
    atMs: z.int(),
    does: z.string().describe("The command that it gives: expire, remind, nudge, …"),
  }),
);
export type TimerView = z.infer<typeof TimerView>;
