/** What is known of XMPP without loading its client. */
import type { ChannelAbout } from "../port.ts";

export const xmppAbout: ChannelAbout = {
  kind: "xmpp",
  title: "XMPP",
  capabilities: {
    format: "plain",
    textMax: 8_000,
    unit: "utf16",
    buttons: "none",
    edit: { windowMs: null, isBlind: true },
    file: false,
    form: false,
    toast: false,
    thread: false,
    inbound: ["socket"],
    idempotentSend: false,
    replay: "window",
    identity: "assured",
    rate: { perConversation: 5, burst: 20, global: 20 },
  },
  packages: [{ name: "@xmpp/client", version: "0.14.0" }],
  questions: [
    { setting: "jid", ask: "The account's address, such as holdpoint@example.org" },
    { setting: "password", ask: "Its password", secretName: "XMPP_PASSWORD" },
    { setting: "service", ask: "The server, if the DNS does not name it, such as xmpp://host:5222", optional: true },
  ],
  reach: "Nothing; the gateway connects to the server.",
  identifiedBy:
    "the address without its resource; in rooms of the account's own server that show it; elsewhere somebody in a room is weak",
  tested: "own fake of a server with SCRAM, stream management and rooms; prosody in npm run test:long",
};
