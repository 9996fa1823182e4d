/** docs/CHANNELS.md: which kinds of channels there are and what each can do, as they declare it and their tests prove it. */
import { KINDS } from "../../src/channels/kinds.ts";
import type { Capabilities, ChannelAbout } from "../../src/channels/port.ts";

const HEAD = `<!-- Made by scripts/documents.ts: do not edit, run npm run fix. -->

# Channels

What each kind of channel declares. The contract in \`src/channels/channel-contract.ts\` runs against a server that speaks the
vendor's wire format and fails where one of them does something else. How to set one up: [guide](guides/channels.md).

`;

const COLUMNS = [
  "channel",
  "text",
  "buttons",
  "words for a button",
  "edit",
  "files",
  "files of people",
  "threads",
  "a person is",
  "comes in by",
  "must be reachable",
  "package",
  "tested against",
];

const UNITS = { bytes: "bytes", utf16: "characters (UTF-16)", codepoints: "characters" } as const;
const FORMS = { own: "its own form", reply: "a question that is replied to" } as const;

const number = (value: number): string => value.toLocaleString("en-US");
const mib = (bytes: number): string => `${number(Math.floor(bytes / (1024 * 1024)))} MiB`;

export async function channelsDocument(): Promise<string> {
  const abouts = await Promise.all(Object.values(KINDS).map(({ about }) => about()));
  const rows = [COLUMNS, COLUMNS.map(() => "---"), ...abouts.map(rowOf)];
  return `${HEAD}${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

const rowOf = ({ title, capabilities, packages, reach, identifiedBy, tested }: ChannelAbout): string[] => [
  title,
  `${capabilities.format}, ${number(capabilities.textMax)} ${UNITS[capabilities.unit]}`,
  buttonsOf(capabilities),
  capabilities.form === false ? "typed" : FORMS[capabilities.form],
  editOf(capabilities),
  capabilities.file === false ? "no: in pages" : mib(capabilities.file.bytesMax),
  capabilities.filesIn === true ? "text and images, 512 KiB" : "no: they are told",
  capabilities.thread ? "yes" : "no",
  `${identifiedBy}${capabilities.identity === "weak" ? "; weak: decides by code only" : ""}`,
  capabilities.inbound.join(", "),
  reach,
  packages.length === 0 ? "none" : packages.map(({ name, version }) => `${name} ${version}`).join(", "),
  tested,
];

function buttonsOf({ buttons, identity }: Capabilities): string {
  if (typeof buttons === "object") {
    const by = buttons.by === undefined ? "" : ` by ${buttons.by}`;
    return `${number(buttons.max)}${by}, ${number(buttons.labelMax)} characters each`;
  }
  if (buttons === "none") return identity === "weak" ? "none: codes" : "none: commands";
  return buttons;
}

function editOf({ edit }: Capabilities): string {
  if (edit === false) return "no: a new message";
  return edit.windowMs === null ? "yes" : `for ${number(Math.floor(edit.windowMs / 60_000))} minutes`;
}
