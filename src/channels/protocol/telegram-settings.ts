/** An account at Telegram. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "./account-settings.ts";

export const telegramSettings = z.strictObject({
  kind: z.literal("telegram"),
  ...ACCOUNT_SETTINGS,
  token: secretSetting.describe("The bot's token from @BotFather, or ${TELEGRAM_BOT_TOKEN}."),
  mode: z
    .enum(["poll", "webhook"])
    .default("poll")
    .describe("poll needs no address that Telegram can reach; webhook needs gateway.pageAddress with https."),
  webhookSecret: secretSetting
    .optional()
    .describe("What Telegram sends with each update in webhook mode: 1 to 256 letters, digits, _ and -."),
  apiRoot: z
    .url({ protocol: /^https?$/ })
    .default("https://api.telegram.org")
    .describe("Another address for a Bot API server of one's own."),
});
export type TelegramSettings = z.infer<typeof telegramSettings>;
