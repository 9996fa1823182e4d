/** An account at Slack: one app in one workspace. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const slackSettings = z.strictObject({
  kind: z.literal("slack"),
  ...ACCOUNT_SETTINGS,
  botToken: secretSetting.describe("The bot's token (xoxb-…) from OAuth & Permissions, or ${SLACK_BOT_TOKEN}."),
  mode: z
    .enum(["socket", "events"])
    .default("socket")
    .describe("socket needs no address that Slack can reach; events needs gateway.pageAddress with https."),
  appToken: secretSetting
    .optional()
    .describe("In socket mode: the app's token (xapp-…) with connections:write, or ${SLACK_APP_TOKEN}."),
  signingSecret: secretSetting
    .optional()
    .describe("In events mode: the signing secret from Basic Information, or ${SLACK_SIGNING_SECRET}."),
  apiRoot: z.url({ protocol: /^https?$/ }).default("https://slack.com/api"),
});
export type SlackSettings = z.infer<typeof slackSettings>;
