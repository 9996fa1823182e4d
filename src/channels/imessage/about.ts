/** What is known of iMessage by BlueBubbles. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;

export const imessageAbout: ChannelAbout = {
  kind: "imessage",
  title: "iMessage (BlueBubbles)",
  capabilities: {
    format: "plain",
    textMax: 8_000,
    unit: "utf16",
    buttons: "none",
    edit: false, // Apple's window is 15 minutes, and it needs an interface that newer systems do not have
    file: { bytesMax: 50 * MIB, captionMax: 1_000 },
    form: false,
    toast: false,
    thread: false,
    inbound: ["poll", "webhook"],
    idempotentSend: false,
    replay: "full",
    identity: "assured",
    rate: { perConversation: 1, burst: 20, global: 10 },
  },
  packages: [],
  questions: [
    { setting: "server", ask: "The address of the BlueBubbles server" },
    { setting: "password", ask: "Its password", secretName: "BLUEBUBBLES_PASSWORD" },
  ],
  reach: "Nothing; new messages are asked for. With webhooks the Mac must reach gateway.pageAddress.",
  identifiedBy: "the handle (number or address) that Apple vouches for; a number and an address are two people",
  tested: "own fake of the REST API; never run against BlueBubbles or Apple itself",
};
