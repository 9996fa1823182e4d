/** What is known of Discord without loading anything: limits of its API, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;

export const discordAbout: ChannelAbout = {
  kind: "discord",
  title: "Discord",
  capabilities: {
    format: "markdown",
    textMax: 2_000,
    unit: "utf16",
    buttons: { max: 25, labelMax: 80, payloadMax: 100 },
    edit: { windowMs: null },
    file: { bytesMax: 10 * MIB, captionMax: 1_000 },
    filesIn: true,
    form: "own",
    toast: { charsMax: 1_500 },
    thread: true,
    inbound: ["socket"],
    idempotentSend: true, // a nonce, which Discord remembers for some minutes
    replay: "window",
    identity: "assured",
    rate: { perConversation: 1, burst: 5, global: 40 },
  },
  packages: [],
  questions: [
    { setting: "token", ask: "The bot's token, from the developer portal (Bot)", secretName: "DISCORD_BOT_TOKEN" },
  ],
  reach: "Nothing: the bot connects to Discord's gateway.",
  identifiedBy: "the user id; never the name; bots and webhooks are nobody",
  tested: "own fake of REST and gateway, typed by discord-api-types; never run against Discord itself",
};
