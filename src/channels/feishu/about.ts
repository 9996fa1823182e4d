/** What is known of Feishu without loading anything: limits of its API, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

export const feishuAbout: ChannelAbout = {
  kind: "feishu",
  title: "Feishu / Lark",
  capabilities: {
    format: "plain", // literal text in cards: Feishu reads tags of its own in texts and in Markdown
    textMax: 6_000, // a card holds 30 KB
    unit: "utf16",
    buttons: { max: 10, labelMax: 60, payloadMax: 1_000 },
    edit: { windowMs: 14 * DAY_MS },
    file: { bytesMax: 10 * MIB, captionMax: 0 },
    form: "own",
    toast: { charsMax: 200 },
    thread: true,
    inbound: ["socket"],
    idempotentSend: true, // known again for an hour
    replay: "window",
    identity: "assured",
    rate: { perConversation: 5, burst: 5, global: 40 },
  },
  packages: [],
  questions: [
    { setting: "appId", ask: "The app's id (cli_…)" },
    { setting: "appSecret", ask: "The app's secret", secretName: "FEISHU_APP_SECRET" },
  ],
  reach: "Nothing: the app connects to Feishu (long connection).",
  identifiedBy: "tenant and open_id; never the name",
  tested: "own fake of REST and long connection, whose frames follow the vendor's SDK; never run against Feishu",
};
