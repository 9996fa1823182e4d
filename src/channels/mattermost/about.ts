/** What is known of Mattermost without loading anything: limits of its API, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;

export const mattermostAbout: ChannelAbout = {
  kind: "mattermost",
  title: "Mattermost",
  capabilities: {
    format: "markdown",
    textMax: 16_383,
    unit: "codepoints",
    buttons: { max: 20, labelMax: 80, payloadMax: 1_000 },
    edit: { windowMs: null },
    file: { bytesMax: 10 * MIB, captionMax: 1_000 },
    form: "own",
    toast: { charsMax: 2_000 },
    thread: true,
    inbound: ["socket", "webhook"],
    idempotentSend: false,
    replay: "full",
    identity: "assured",
    rate: { perConversation: 5, burst: 20, global: 9 },
  },
  packages: [],
  questions: [
    { setting: "server", ask: "The address of the Mattermost server (https://…)" },
    { setting: "token", ask: "The access token of the bot account", secretName: "MATTERMOST_TOKEN" },
    {
      setting: "commandToken",
      ask: "The token of the slash command /plan, if you made one",
      secretName: "MATTERMOST_COMMAND_TOKEN",
      optional: true,
    },
  ],
  reach: "Messages come by a socket. For presses the Mattermost server must reach gateway.pageAddress.",
  identifiedBy: "the user id; never the name",
  tested: "own fake of REST, socket and interactive actions; never run against a real server",
};
