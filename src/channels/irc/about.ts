/** What is known of IRC. */
import type { ChannelAbout } from "../port.ts";

export const ircAbout: ChannelAbout = {
  kind: "irc",
  title: "IRC",
  capabilities: {
    format: "plain",
    textMax: 2_000,
    unit: "bytes",
    buttons: "none",
    edit: false,
    file: false,
    form: false,
    toast: false,
    thread: false,
    inbound: ["socket"],
    idempotentSend: false,
    replay: "none",
    identity: "weak",
    rate: { perConversation: 1, burst: 10, global: 10 },
  },
  packages: [],
  questions: [
    { setting: "host", ask: "The server, such as irc.libera.chat" },
    { setting: "nick", ask: "Our nick" },
    { setting: "password", ask: "The password of its account, for SASL", secretName: "IRC_PASSWORD", optional: true },
  ],
  reach: "Nothing; the gateway connects to the server.",
  identifiedBy:
    "the services account, where the server names it with each line (account-tag); a nick alone can be taken",
  tested:
    "own fake of a server with message tags and SASL, ngircd and inspircd in npm run test:long; never run against a public network",
};
