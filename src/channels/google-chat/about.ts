/** What is known of Google Chat without loading anything: limits of its API, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

export const googleChatAbout: ChannelAbout = {
  kind: "google-chat",
  title: "Google Chat",
  capabilities: {
    format: "html",
    textMax: 8_000, // a message with its cards holds 32,000 bytes
    unit: "utf16",
    buttons: { max: 10, labelMax: 60, payloadMax: 1_000 },
    edit: { windowMs: null },
    file: false,
    form: "own",
    toast: false,
    thread: true,
    inbound: ["poll", "webhook"],
    idempotentSend: true,
    replay: "full",
    identity: "assured",
    rate: { perConversation: 1, burst: 5, global: 50 },
  },
  packages: [{ name: "jose", version: "6.2.17" }],
  questions: [
    {
      setting: "serviceAccount",
      ask: "The key of the app's service account (its JSON in one line)",
      secretName: "GOOGLE_CHAT_KEY",
    },
    { setting: "subscription", ask: "The Pub/Sub subscription (projects/…/subscriptions/…)", optional: true },
    { setting: "projectNumber", ask: "The project's number, for webhook mode only", optional: true },
  ],
  reach: "Nothing with Pub/Sub. In webhook mode Google must reach gateway.pageAddress by https.",
  identifiedBy: "users/ID; never the name",
  tested: "own fake of Chat, Pub/Sub and log-in, written from Google's reference; never run against Google",
};
