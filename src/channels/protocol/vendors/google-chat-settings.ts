/** An account at Google Chat: one Chat app. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

const address = z.url({ protocol: /^https?$/ });

export const googleChatSettings = z.strictObject({
  kind: z.literal("google-chat"),
  ...ACCOUNT_SETTINGS,
  serviceAccount: secretSetting.describe(
    "The key of the app's service account: the JSON file's text, or ${GOOGLE_CHAT_KEY}.",
  ),
  mode: z
    .enum(["pubsub", "webhook"])
    .default("pubsub")
    .describe("pubsub needs no address that Google can reach; webhook needs gateway.pageAddress with https."),
  subscription: z
    .string()
    .regex(/^projects\/[^/\s]+\/subscriptions\/[^/\s]+$/)
    .optional()
    .describe("In pubsub mode: projects/PROJECT/subscriptions/NAME."),
  projectNumber: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional()
    .describe("In webhook mode: the project's number, for which Google signs its requests."),
  chatRoot: address.default("https://chat.googleapis.com"),
  pubsubRoot: address.default("https://pubsub.googleapis.com"),
  keysUrl: address.default("https://www.googleapis.com/service_accounts/v1/jwk/chat@system.gserviceaccount.com"),
});
export type GoogleChatSettings = z.infer<typeof googleChatSettings>;
