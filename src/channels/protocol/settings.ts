/** `channels` of the configuration: one entry for each account at a vendor, by the name that we give it. */
import { z } from "zod";
import { telegramSettings } from "./telegram-settings.ts";
import { discordSettings } from "./vendors/discord-settings.ts";
import { feishuSettings } from "./vendors/feishu-settings.ts";
import { googleChatSettings } from "./vendors/google-chat-settings.ts";
import { matrixSettings } from "./vendors/matrix-settings.ts";
import { mattermostSettings } from "./vendors/mattermost-settings.ts";
import { emailSettings } from "./vendors/email-settings.ts";
import { imessageSettings } from "./vendors/imessage-settings.ts";
import { ircSettings } from "./vendors/irc-settings.ts";
import { signalSettings } from "./vendors/signal-settings.ts";
import { slackSettings } from "./vendors/slack-settings.ts";
import { teamsSettings } from "./vendors/teams-settings.ts";
import { smsSettings } from "./vendors/sms-settings.ts";
import { webhookSettings } from "./vendors/webhook-settings.ts";
import { whatsappSettings } from "./vendors/whatsapp-settings.ts";
import { xmppSettings } from "./vendors/xmpp-settings.ts";

const CHANNELS_MAX = 50;

/** The name of an account stands in addresses, in the store and in bindings as `instance`. */
const accountName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "small letters, digits and - only, at most 32");

export const ChannelSettings = z.discriminatedUnion("kind", [
  telegramSettings,
  slackSettings,
  discordSettings,
  matrixSettings,
  mattermostSettings,
  teamsSettings,
  googleChatSettings,
  webhookSettings,
  smsSettings,
  whatsappSettings,
  emailSettings,
  feishuSettings,
  signalSettings,
  imessageSettings,
  ircSettings,
  xmppSettings,
]);
export type ChannelSettings = z.infer<typeof ChannelSettings>;
export type ChannelKind = ChannelSettings["kind"];
export type SettingsOf<Kind extends ChannelKind> = Extract<ChannelSettings, { kind: Kind }>;

export const ChannelsSettings = z
  .record(accountName, ChannelSettings)
  .refine((table) => Object.keys(table).length <= CHANNELS_MAX, `at most ${CHANNELS_MAX} accounts`)
  .default({});
export type ChannelsSettings = z.infer<typeof ChannelsSettings>;
