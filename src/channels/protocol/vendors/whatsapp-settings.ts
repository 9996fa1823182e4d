/** A number of the WhatsApp Cloud API. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const whatsappSettings = z.strictObject({
  kind: z.literal("whatsapp"),
  ...ACCOUNT_SETTINGS,
  phoneNumberId: z
    .string()
    .regex(/^\d{1,32}$/, "digits only")
    .describe("The id of the number, not the number."),
  accessToken: secretSetting.describe("Of a system user with whatsapp_business_messaging, or ${WHATSAPP_TOKEN}."),
  appSecret: secretSetting.describe("Signs what Meta sends, or ${WHATSAPP_APP_SECRET}."),
  verifyToken: secretSetting.describe("What Meta is given with the address, or ${WHATSAPP_VERIFY_TOKEN}."),
  template: z
    .strictObject({ name: z.string().min(1).max(512), language: z.string().min(2).max(16) })
    .optional()
    .describe("Sent to somebody who has not written for 24 hours, so that they open the conversation again."),
  apiRoot: z.url({ protocol: /^https?$/ }).default("https://graph.facebook.com/v23.0"),
});
export type WhatsappSettings = z.infer<typeof whatsappSettings>;
