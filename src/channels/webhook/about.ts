/** What is known of a program that speaks standard-webhooks: our own limits, since it has none. */
import type { ChannelAbout } from "../port.ts";

export const webhookAbout: ChannelAbout = {
  kind: "webhook",
  title: "Webhook",
  capabilities: {
    format: "plain",
    textMax: 16_384,
    unit: "utf16",
    buttons: { max: 20, labelMax: 200, payloadMax: 64 },
    edit: { windowMs: null },
    file: { bytesMax: 5 * 1024 * 1024, captionMax: 4_096 },
    form: "own",
    toast: false,
    thread: true,
    inbound: ["webhook"],
    idempotentSend: true,
    replay: "full",
    identity: "assured",
    rate: { perConversation: 10, burst: 100, global: 50 },
  },
  packages: [],
  questions: [
    { setting: "url", ask: "The address that messages are sent to" },
    { setting: "secret", ask: "The secret that both sides sign with (whsec_…)", secretName: "WEBHOOK_SECRET" },
  ],
  reach: "Your program must reach gateway.pageAddress, and this gateway must reach your program.",
  identifiedBy: "person.id of a signed request: whoever holds the secret vouches for it",
  tested: "own fake, whose signatures are made and checked by the package standardwebhooks",
};
