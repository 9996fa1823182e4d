/** What is known of Matrix without loading anything: limits of its API, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;

export const matrixAbout: ChannelAbout = {
  kind: "matrix",
  title: "Matrix",
  capabilities: {
    format: "html",
    textMax: 5_000, // an edit carries a text four times, and an event holds 65,536 bytes
    unit: "utf16",
    buttons: { max: 9, labelMax: 100, payloadMax: 100, by: "reactions" },
    edit: { windowMs: null },
    file: { bytesMax: 10 * MIB, captionMax: 1_000 },
    filesIn: true,
    form: "reply",
    toast: false,
    thread: true,
    inbound: ["poll"],
    idempotentSend: true,
    replay: "full",
    identity: "assured",
    rate: { perConversation: 1, burst: 10, global: 10 },
  },
  packages: [],
  questions: [
    { setting: "homeserver", ask: "The address of the Matrix server (https://…)" },
    { setting: "accessToken", ask: "The access token of the bot's account", secretName: "MATRIX_ACCESS_TOKEN" },
  ],
  reach: "Nothing: the server is asked. Encrypted rooms are refused, and told so.",
  identifiedBy: "@user:server; never the display name",
  tested: "own fake of the client-server API; never run against a real homeserver",
};
