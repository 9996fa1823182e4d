/** A program of one's own that speaks standard-webhooks both ways. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const webhookSettings = z.strictObject({
  kind: z.literal("webhook"),
  ...ACCOUNT_SETTINGS,
  url: z.url({ protocol: /^https?$/ }).describe("Where messages and cards are sent to."),
  secret: secretSetting.describe("What both sides sign with: whsec_ and base64, or ${WEBHOOK_SECRET}."),
  inboundSecret: secretSetting.optional().describe("What the other side signs with, where it is another one."),
});
export type WebhookSettings = z.infer<typeof webhookSettings>;
