/** docs/CHANNELS.md: which kinds of channels there are and what each can do, as they declare it and their tests prove it. */
import { KINDS } from "../../src/channels/kinds.ts";
import type { Capabilities, ChannelAbout } from "../../src/channels/port.ts";

const HEAD = `<!-- Made by scripts/documents.ts: do not edit, run npm run fix. -->

# Channels

What each kind of channel declares. How to set one up: [guide](guides/channels.md).

The contract in \`src/channels/channel-contract.ts\` runs every kind against a server of our own that speaks the vendor's wire
format, and fails where one of these is not as declared:

- text: as much as is declared is taken, more arrives in pages, and foreign text means nothing in that format;
- buttons and words for them: whether there are any, and how a press and its words come back;
- edit: for as long as is declared, and after that in a new message;
- files: sent or in pages, none begun that is larger; files of people: loaded, or refused with words;
- threads: what is written in one is answered in it, with its cards and files, named as the vendor's wire names it; where there are
  none, a reply is answered where everything else is;
- comes in by: each way brings what people do without the others, and there is no further one; whether a person is weak.

The rest is proven elsewhere or only told. Who a person is, and which requests are refused unread: the vendor's own test
(\`src/channels/*/*.test.ts\`). Versions of packages: \`src/channels/kinds.test.ts\`. How many buttons, how long a label and how large a
file a vendor takes stand here as its reference says; we stay within them, and not each of our servers refuses more. What must be
reachable, and what it was tested against, is told.

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
