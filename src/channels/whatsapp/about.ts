/** What is known of the WhatsApp Cloud API: its limits, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;

export const whatsappAbout: ChannelAbout = {
  kind: "whatsapp",
  title: "WhatsApp",
  capabilities: {
    format: "mrkdwn",
    textMax: 4_096,
    unit: "utf16",
    cardMax: 1_024,
    buttons: { max: 10, labelMax: 20, payloadMax: 200 },
    edit: false,
    file: { bytesMax: 100 * MIB, captionMax: 1_024 },
    form: "reply",
    toast: false,
    thread: false,
    groups: false,
    inbound: ["webhook"],
    idempotentSend: false,
    replay: "full",
    identity: "assured",
    rate: { perConversation: 1, burst: 20, global: 80 },
  },
  packages: [],
  questions: [
    { setting: "phoneNumberId", ask: "The id of the phone number, from WhatsApp > API Setup" },
    { setting: "accessToken", ask: "An access token of a system user", secretName: "WHATSAPP_TOKEN" },
    { setting: "appSecret", ask: "The app secret, from App settings > Basic", secretName: "WHATSAPP_APP_SECRET" },
    {
      setting: "verifyToken",
      ask: "A word of your own, which you give to Meta with the address",
      secretName: "WHATSAPP_VERIFY_TOKEN",
    },
  ],
  reach: "Meta must reach gateway.pageAddress by https.",
  identifiedBy: "the wa_id that Meta vouches for; a number is given to others one day",
  tested: "own fake of the Cloud API that refuses its limits and signs as Meta does; never run against Meta itself",
};
