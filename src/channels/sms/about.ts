/** What is known of SMS by Twilio: its limits, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

export const smsAbout: ChannelAbout = {
  kind: "sms",
  title: "SMS (Twilio)",
  capabilities: {
    format: "plain",
    textMax: 1_600,
    unit: "utf16",
    buttons: "none",
    edit: false,
    file: false,
    form: false,
    toast: false,
    thread: false,
    groups: false,
    inbound: ["webhook"],
    idempotentSend: false,
    replay: "window",
    identity: "weak",
    rate: { perConversation: 1, burst: 10, global: 20 },
  },
  packages: [],
  questions: [
    { setting: "accountSid", ask: "The account's SID (AC…), from the console of Twilio" },
    { setting: "authToken", ask: "The auth token", secretName: "TWILIO_AUTH_TOKEN" },
    { setting: "number", ask: "The number that people write to, such as +15005550006" },
  ],
  reach: "Twilio must reach gateway.pageAddress by https.",
  identifiedBy: "the number, which can be forged and is given to others one day",
  tested: "own fake of the REST API that signs as Twilio does; never run against Twilio itself",
};
