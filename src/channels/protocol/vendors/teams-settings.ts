/** An account at Microsoft Teams: one bot of one tenant. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

const address = z.url({ protocol: /^https?$/ });

export const teamsSettings = z.strictObject({
  kind: z.literal("teams"),
  ...ACCOUNT_SETTINGS,
  appId: z.string().min(1).max(100).describe("The application (client) id of the bot."),
  appPassword: secretSetting.describe("A client secret of that application, or ${TEAMS_APP_PASSWORD}."),
  tenantId: z
    .string()
    .min(1)
    .max(100)
    .describe("The directory (tenant) id: whoever is of another one is not listened to."),
  serviceUrl: address.default("https://smba.trafficmanager.net/teams").describe("Where messages are sent to."),
  loginRoot: address.default("https://login.microsoftonline.com"),
  openIdUrl: address.default("https://login.botframework.com/v1/.well-known/openidconfiguration"),
});
export type TeamsSettings = z.infer<typeof teamsSettings>;
