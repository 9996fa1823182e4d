/** What is known of Signal by signal-cli. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;

/** For how long Signal's own apps offer it; a later edit is sent, and those who receive it show nothing of it. */
export const EDIT_WINDOW_MS = 24 * 3_600_000;

export const signalAbout: ChannelAbout = {
  kind: "signal",
  title: "Signal",
  capabilities: {
    format: "plain",
    textMax: 2_000,
    unit: "utf16",
    buttons: "none",
    edit: { windowMs: EDIT_WINDOW_MS },
    file: { bytesMax: 95 * MIB, captionMax: 2_000 },
    form: false,
    toast: false,
    thread: false,
    inbound: ["socket"],
    idempotentSend: false,
    replay: "none",
    identity: "assured",
    rate: { perConversation: 1, burst: 20, global: 10 },
  },
  packages: [],
  questions: [
    { setting: "account", ask: "The number that is registered with signal-cli, such as +15005550006" },
    { setting: "daemon", ask: "The address of signal-cli daemon --http", optional: true },
  ],
  reach: "Nothing. signal-cli daemon --http runs beside the gateway.",
  identifiedBy: "the account's uuid; never the number or the name",
  tested: "own fake of signal-cli's JSON-RPC and event stream; never run against signal-cli or Signal itself",
};
