/** What is known of Slack without loading anything: limits of its API, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;

export const slackAbout: ChannelAbout = {
  kind: "slack",
  title: "Slack",
  capabilities: {
    format: "mrkdwn",
    textMax: 12_000, // all blocks of a message together; undocumented, Slack refuses about 13,200
    unit: "utf16",
    buttons: { max: 25, labelMax: 75, payloadMax: 2_000 },
    edit: { windowMs: null },
    file: { bytesMax: 10 * MIB, captionMax: 1_000 },
    filesIn: true,
    form: "own",
    toast: { charsMax: 2_000 },
    thread: true,
    inbound: ["socket", "webhook"],
    idempotentSend: false,
    replay: "window",
    identity: "assured",
    rate: { perConversation: 1, burst: 20, global: 20 },
  },
  packages: [],
  questions: [
    { setting: "botToken", ask: "The bot's token (xoxb-…)", secretName: "SLACK_BOT_TOKEN" },
    {
      setting: "appToken",
      ask: "The app's token for socket mode (xapp-…)",
      secretName: "SLACK_APP_TOKEN",
      optional: true,
    },
    {
      setting: "signingSecret",
      ask: "The signing secret, for events mode only",
      secretName: "SLACK_SIGNING_SECRET",
      optional: true,
    },
  ],
  reach: "Nothing in socket mode. In events mode Slack must reach gateway.pageAddress by https.",
  identifiedBy: "workspace and user id; never the name",
  tested: "own fake of Web API, socket mode and signed events, typed by @slack/types; never run against Slack itself",
};
