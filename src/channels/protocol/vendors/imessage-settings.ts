/** iMessage, by a BlueBubbles server on a Mac of one's own. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const imessageSettings = z.strictObject({
  kind: z.literal("imessage"),
  ...ACCOUNT_SETTINGS,
  server: z.url({ protocol: /^https?$/ }).describe("The address of the BlueBubbles server."),
  password: secretSetting.describe("Of the BlueBubbles server, or ${BLUEBUBBLES_PASSWORD}."),
  webhookSecret: secretSetting
    .optional()
    .describe("Stands at the end of the webhook's address. Absent: the server is only asked from time to time."),
  pollSeconds: z.number().min(1).max(3_600).default(15).describe("How often the server is asked for new messages."),
  name: z
    .string()
    .min(1)
    .max(64)
    .default("holdpoint")
    .describe("What people in groups call us at the start of a message."),
});
export type ImessageSettings = z.infer<typeof imessageSettings>;
