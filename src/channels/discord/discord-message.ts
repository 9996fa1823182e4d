/** Messages, cards and forms as Discord's API takes them. Nothing in them may mention anybody. */
import { createHash } from "node:crypto";
import type {
  APIActionRowComponent,
  APIComponentInMessageActionRow,
  APIModalInteractionResponse,
  RESTPatchAPIChannelMessageJSONBody,
  RESTPostAPIApplicationCommandsJSONBody,
  RESTPostAPIChannelMessageJSONBody,
} from "discord-api-types/v10";
import type { Button, FormWanted } from "../port.ts";

const ROW = 5;
const NONCE_CHARS = 24;
const TITLE_CHARS_MAX = 45;
const INPUT_CHARS_MAX = 4_000;
/** No previews of links. */
const SUPPRESS_EMBEDS = 4;

/** The field of the form in which words are written. */
export const WORDS = "words";

const STYLES = { good: 3, bad: 4, other: 2 } as const;

function rowsOf(buttons: readonly Button[]): APIActionRowComponent<APIComponentInMessageActionRow>[] {
  const all = buttons.map(({ label, token, style }): APIComponentInMessageActionRow => ({
    type: 2,
    style: STYLES[style],
    label,
    custom_id: token,
  }));
  return Array.from({ length: Math.ceil(all.length / ROW) }, (_, at) => ({
    type: 1,
    components: all.slice(at * ROW, (at + 1) * ROW),
  }));
}

type Posted = { text: string; buttons?: readonly Button[]; key: string };

/** The nonce makes a repeated request the same message. */
export const newMessage = ({ text, buttons = [], key }: Posted): RESTPostAPIChannelMessageJSONBody => ({
  content: text,
  components: rowsOf(buttons),
  allowed_mentions: { parse: [] },
  flags: SUPPRESS_EMBEDS,
  nonce: createHash("sha256").update(key).digest("base64url").slice(0, NONCE_CHARS),
  enforce_nonce: true,
});

export const changedMessage = (text: string, buttons: readonly Button[]): RESTPatchAPIChannelMessageJSONBody => ({
  content: text,
  components: rowsOf(buttons),
  allowed_mentions: { parse: [] },
  flags: SUPPRESS_EMBEDS,
});

/** The form belongs to the message whose button was pressed: Discord names it when the form comes back. */
export const formResponse = ({ label, token }: FormWanted): APIModalInteractionResponse => ({
  type: 9,
  data: {
    custom_id: token,
    title: shortened(label, TITLE_CHARS_MAX),
    components: [
      {
        type: 18,
        label: shortened(label, TITLE_CHARS_MAX),
        component: { type: 4, custom_id: WORDS, style: 2, required: true, max_length: INPUT_CHARS_MAX },
      },
    ],
  },
});

const shortened = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;

/** Everywhere where the bot is; the words behind the name are one field, read by our own parser. */
export const COMMANDS: RESTPostAPIApplicationCommandsJSONBody[] = [
  {
    type: 1,
    name: "plan",
    description: "Plan mode: status, view, accept, revise …",
    options: [{ type: 3, name: WORDS, description: "for example: status", required: false }],
  },
  { type: 1, name: "pair", description: "Asks for a code with which an operator lets you in" },
];
