/** A number at Twilio. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const smsSettings = z.strictObject({
  kind: z.literal("sms"),
  ...ACCOUNT_SETTINGS,
  accountSid: z.string().min(1).max(64).describe("AC…, from the console of Twilio."),
  authToken: secretSetting.describe("Signs what Twilio sends and what it is sent, or ${TWILIO_AUTH_TOKEN}."),
  number: z
    .string()
    .regex(/^\+[1-9]\d{4,14}$/, "a number such as +15005550006")
    .describe("The number that people write to."),
  apiRoot: z.url({ protocol: /^https?$/ }).default("https://api.twilio.com"),
});
export type SmsSettings = z.infer<typeof smsSettings>;
