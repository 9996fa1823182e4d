/** An account at Discord: one bot. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const discordSettings = z.strictObject({
  kind: z.literal("discord"),
  ...ACCOUNT_SETTINGS,
  token: secretSetting.describe("The bot's token from the developer portal, or ${DISCORD_BOT_TOKEN}."),
  apiRoot: z.url({ protocol: /^https?$/ }).default("https://discord.com/api/v10"),
});
