/**
 * Text of an agent or a person, in a format in which it means nothing: no mention, no command to press, no masked link, no
 * markup, no tag that stays open. What cannot be seen is shown by its number first, so nothing hides in between.
 */
import { never, revealHidden } from "../../plugins/sdk.ts";
import type { Format } from "../port.ts";

/** Looks like the sign, and no vendor reads it as one: `@`, `*`, `~`, backtick, `_`, a quotation mark at the line's start. */
const AT = "﹫";
const ASTERISK = "∗";
const TILDE = "∼";
const BACKTICK = "ˋ";
const LOW_LINE = "＿";
const QUOTE = "›";
/** Keeps two characters apart without a gap; at the beginning of a line nothing begins behind it. */
export const JOINER = "⁠";
const ZERO_WIDTH = "​";

/** Some vendors take these for a call to everybody even in the middle of a word. */
const CALLS_EVERYBODY = /@(?=everyone|here|channel|all\b|room\b|team\b|group\b)/giu;
/** A name after the sign, unless a letter or a figure stands before it as in a@b.c: vendors read `-@bob` as a mention. */
const NAMES_SOMEBODY = /(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}_])/gu;
const CALL_IN_BRACKETS = /<(?=[@!#&:/]|[a-z]+[:/\s])/giu;

/** Before anything is escaped: an escape in front of a sign would hide it from this. */
const withoutMentions = (text: string): string => text.replace(CALLS_EVERYBODY, AT).replace(NAMES_SOMEBODY, AT);

export function neutral(text: string, format: Format): string {
  const shown = withoutMentions(revealHidden(text));
  switch (format) {
    case "html":
      return htmlText(shown);
    case "mrkdwn":
      return mrkdwnText(shown);
    case "markdown":
      return markdownText(shown);
    case "plain":
      return shown.replace(CALL_IN_BRACKETS, `<${ZERO_WIDTH}`).replace(/^[/!](?=\S)/gm, `$&${JOINER}`);
    default:
      return never(format);
  }
}

/**
 * Clients make a link of a command and of a tag, and whoever presses the one sends it in their own name. The slashes and the
 * fragment of an address stay as they are.
 */
const htmlText = (text: string): string =>
  htmlEscaped(
    text.replace(/(?<![\p{L}\p{N}_/])\/(?=[\p{L}\p{N}_])|(?<![\p{L}\p{N}_]\/?)#(?=[\p{L}\p{N}_])/gu, `$&${JOINER}`),
  );

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const htmlEscaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => HTML[sign] ?? "");

/**
 * There is no escape but for three signs, so the others become look-alikes. One underscore after a letter or a figure begins
 * nothing, and what was never begun cannot end: an id like `pln_-x` stays what it is.
 */
const mrkdwnText = (text: string): string =>
  text
    .replaceAll("*", ASTERISK)
    .replaceAll("~", TILDE)
    .replaceAll("`", BACKTICK)
    .replace(/(?<![\p{L}\p{N}])_+|_{2,}/gu, (signs) => LOW_LINE.repeat(signs.length))
    .replace(/^([ \t]*)(>+)/gm, (_all, before: string, signs: string) => before + QUOTE.repeat(signs.length))
    .replace(EMOJI, `:${JOINER}`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

const EMOJI = /:(?=[a-z0-9_+'-]+:)/gi;
/** As far as an address is looked at. */
const ADDRESS = String.raw`\S{0,2000}?[\\${"`"}*_{}[\]()>#|~<]`;
/** Vendors read addresses before escapes: one that needs any would be shown, and opened, with backslashes in it. */
const ESCAPED_ADDRESS = new RegExp(
  String.raw`:(?=/${ADDRESS})|(?<=mailto|tel):(?=${ADDRESS})|(?<=www\d{0,3})\.(?=${ADDRESS})|\.(?=\p{L}{2,4}/${ADDRESS})`,
  "giu",
);
/** Mattermost reads what its Markdown has left once more: channels, tags, faces, entities of HTML, addresses in brackets. */
const READ_AGAIN =
  /[#~](?=[\p{L}\p{N}_])|(?<![\p{L}\p{N}])[:;](?=-?(?:[)(\]/|$']|[odpsx](?![\p{L}\p{N}])))|&(?=#?\w+;)/giu;
const AT_IN_BRACKETS = /(?<=<[^ >]{0,400})@/g;
/** Mattermost takes it for the end of a line. */
const NEW_LINE_SIGN = "\u2424";

/** Everything that is no escape at one of the two vendors is kept apart by a joint instead, which nobody shows. */
const markdownText = (text: string): string =>
  text
    .replaceAll(NEW_LINE_SIGN, "‹U+2424›")
    .replace(AT_IN_BRACKETS, AT)
    .replace(ESCAPED_ADDRESS, (sign) => (sign === ":" ? `:${JOINER}` : `${JOINER}.`))
    .replace(EMOJI, `:${JOINER}`)
    .replace(READ_AGAIN, `$&${JOINER}`)
    .replace(/[`*_{}[\]()>#|~]|\\(?![0-9A-Za-z])/g, "\\$&")
    .replaceAll("<", `<${ZERO_WIDTH}`)
    .replace(/^([ \t\u00A0]*)([-+])/gm, "$1\\$2")
    .replace(/^([ \t\u00A0]*\d+)\./gm, "$1\\.") // a bracket behind a number is escaped already
    .replace(/^(?=[ \t\u00A0=])/gm, JOINER); // no heading and no code begins behind it
