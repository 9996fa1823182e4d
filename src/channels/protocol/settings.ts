/** `channels` of the configuration: one entry for each account at a vendor, by the name that we give it. */
import { z } from "zod";

const CHANNELS_MAX = 50;
const LIST_MAX = 1_000;

/** The name of an account stands in addresses, in the store and in bindings as `instance`. */
const accountName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "small letters, digits and - only, at most 32");

/** A secret, or where it stands: ${TELEGRAM_BOT_TOKEN} is looked for in the environment, then in secrets.yaml. */
export const secretSetting = z.string().min(1).max(4_096);

/** What every kind of channel has. */
export const ACCOUNT_SETTINGS = {
  enabled: z.boolean().default(true),
  pairing: z
    .boolean()
    .default(true)
    .describe("Whether somebody unknown who writes /pair in a direct conversation gets a code for an operator."),
  operators: z
    .array(z.string().min(1).max(128))
    .max(LIST_MAX)
    .optional()
    .describe(
      "Only these operators count here, by name or id. Absent: whoever was paired. An empty list means nobody.",
    ),
  groups: z
    .strictObject({
      allow: z
        .array(z.string().min(1).max(512))
        .max(LIST_MAX)
        .default([])
        .describe("Groups, by the vendor's id, in which people are listened to. An empty list means none."),
      mention: z
        .boolean()
        .default(true)
        .describe("Only what is addressed to us counts: by a mention, a reply to us, or a command."),
    })
    .prefault({}),
  inbox: z
    .array(z.string().min(1).max(512))
    .max(LIST_MAX)
    .default([])
    .describe("Conversations, by the vendor's id, that are shown whatever waits for a person, in any session."),
} as const;

const telegram = z.strictObject({
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
export type TelegramSettings = z.infer<typeof telegram>;

export const ChannelSettings = z.discriminatedUnion("kind", [telegram]);
export type ChannelSettings = z.infer<typeof ChannelSettings>;
export type ChannelKind = ChannelSettings["kind"];

export const ChannelsSettings = z
  .record(accountName, ChannelSettings)
  .refine((table) => Object.keys(table).length <= CHANNELS_MAX, `at most ${CHANNELS_MAX} accounts`)
  .default({});
export type ChannelsSettings = z.infer<typeof ChannelsSettings>;
