/** What is known of Microsoft Teams without loading anything: limits of its API, and what `channels add` asks for. */
import type { ChannelAbout } from "../port.ts";

export const teamsAbout: ChannelAbout = {
  kind: "teams",
  title: "Microsoft Teams",
  capabilities: {
    format: "plain", // Teams has no escape that all its clients read, so nothing is marked at all
    textMax: 8_000,
    unit: "utf16",
    buttons: { max: 6, labelMax: 60, payloadMax: 1_000 },
    edit: { windowMs: null },
    file: false,
    form: "own",
    toast: { charsMax: 1_000 },
    thread: true,
    inbound: ["webhook"],
    idempotentSend: false,
    replay: "window",
    identity: "assured",
    rate: { perConversation: 0.5, burst: 7, global: 30 },
  },
  packages: [{ name: "jose", version: "6.2.17" }],
  questions: [
    { setting: "appId", ask: "The application (client) id of the bot" },
    { setting: "appPassword", ask: "A client secret of it", secretName: "TEAMS_APP_PASSWORD" },
    { setting: "tenantId", ask: "The directory (tenant) id" },
  ],
  reach: "Microsoft's servers must reach gateway.pageAddress by https.",
  identifiedBy: "tenant and object id of the directory; never the name",
  tested:
    "own fake of connector, log-in and keys, its cards typed by @microsoft/teams.cards; never run against Microsoft",
};
