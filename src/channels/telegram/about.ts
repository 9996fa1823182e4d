/** What is known of Telegram without loading its client: limits of the Bot API, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;

export const telegramAbout: ChannelAbout = {
  kind: "telegram",
  title: "Telegram",
  capabilities: {
    format: "html",
    textMax: 4_096,
    unit: "utf16",
    buttons: { max: 100, labelMax: 64, payloadMax: 64 },
    edit: { windowMs: null },
    file: { bytesMax: 50 * MIB, captionMax: 1_024 },
    filesIn: true,
    form: "reply",
    toast: { charsMax: 200 },
    thread: true,
    inbound: ["poll", "webhook"],
    idempotentSend: false,
    replay: "full",
    identity: "assured",
    rate: { perConversation: 1, burst: 20, global: 30 },
  },
  packages: [{ name: "grammy", version: "1.46.0" }],
  questions: [
    {
      setting: "token",
      ask: "The bot's token, from @BotFather (/newbot)",
      secretName: "TELEGRAM_BOT_TOKEN",
    },
  ],
  reach: "Nothing with polling. With webhooks Telegram must reach gateway.pageAddress by https.",
  identifiedBy: "the numeric user id; never the @name",
  tested: "own fake of the Bot API, typed by @grammyjs/types; never run against Telegram itself",
};
