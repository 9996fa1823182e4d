/** An account at a Mattermost server. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const mattermostSettings = z.strictObject({
  kind: z.literal("mattermost"),
  ...ACCOUNT_SETTINGS,
  server: z.url({ protocol: /^https?$/ }).describe("The address of the server, for example https://chat.example.org."),
  token: secretSetting.describe("The access token of the bot account, or ${MATTERMOST_TOKEN}."),
  commandToken: secretSetting
    .optional()
    .describe("The token of the slash command /plan, where one was made; or ${MATTERMOST_COMMAND_TOKEN}."),
});
export type MattermostSettings = z.infer<typeof mattermostSettings>;
