/** An account at Feishu, or at Lark, which is the same elsewhere: one app of one tenant. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const feishuSettings = z.strictObject({
  kind: z.literal("feishu"),
  ...ACCOUNT_SETTINGS,
  appId: z.string().min(1).max(100).describe("The app's id (cli_…)."),
  appSecret: secretSetting.describe("The app's secret, or ${FEISHU_APP_SECRET}."),
  domain: z
    .url({ protocol: /^https?$/ })
    .default("https://open.feishu.cn")
    .describe("https://open.larksuite.com for Lark."),
});
export type FeishuSettings = z.infer<typeof feishuSettings>;
