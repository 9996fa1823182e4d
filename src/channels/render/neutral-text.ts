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
/** Keeps two characters apart without a gap. */
const JOINER = "⁠";
const ZERO_WIDTH = "​";

/** Some vendors take these for a call to everybody even in the middle of a word. */
const CALLS_EVERYBODY = /@(?=everyone|here|channel|all\b|room\b|team\b|group\b)/giu;
/** A name after the sign, where it does not stand in an address like a@b.c. */
const NAMES_SOMEBODY = /(?<![\p{L}\p{N}._%+-])@(?=[\p{L}\p{N}_])/gu;
const CALL_IN_BRACKETS = /<(?=[@!#&:/]|[a-z]+[:/ ])/giu;

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

/** Clients make a link of a command and of a tag, and whoever presses the one sends it in their own name. */
const htmlText = (text: string): string =>
  htmlEscaped(text.replace(/(?<![\p{L}\p{N}/&])[/#](?=[\p{L}\p{N}_])/gu, `$&${JOINER}`));

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const htmlEscaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => HTML[sign] ?? "");

/** There is no escape but for three signs, so the others become look-alikes. Underscores inside of a word mean nothing. */
const mrkdwnText = (text: string): string =>
  text
    .replaceAll("*", ASTERISK)
    .replaceAll("~", TILDE)
    .replaceAll("`", BACKTICK)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, LOW_LINE)
    .replace(/^>+/gm, (signs) => QUOTE.repeat(signs.length))
    .replace(/:(?=[a-z0-9_+'-]+:)/gi, `:${JOINER}`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** The joint after `<` is for those who read tags of their own before backslashes. */
const markdownText = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]()>#|~]/g, "\\$&")
    .replaceAll("<", `\\<${ZERO_WIDTH}`)
    .replace(/^([ \t]*)([-+=])/gm, "$1\\$2")
    .replace(/^([ \t]*\d+)\./gm, "$1\\.") // a bracket behind a number is escaped already
    .replace(/:(?=[a-z0-9_+'-]+:)/gi, `:${JOINER}`);
