/** A number at Signal, by a signal-cli daemon of one's own. */
import { z } from "zod";
import { ACCOUNT_SETTINGS } from "../account-settings.ts";

export const signalSettings = z.strictObject({
  kind: z.literal("signal"),
  ...ACCOUNT_SETTINGS,
  account: z
    .string()
    .regex(/^\+[1-9]\d{4,14}$/, "a number such as +15005550006")
    .describe("The number that is registered with signal-cli."),
  daemon: z
    .url({ protocol: /^https?$/ })
    .default("http://127.0.0.1:8080")
    .describe("Where signal-cli daemon --http listens. Whoever reaches it can write as you: keep it on this machine."),
});
export type SignalSettings = z.infer<typeof signalSettings>;
