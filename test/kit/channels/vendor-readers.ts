/**
 * How vendors read a text, written from the rules of their own parsers: what a person is shown, and what was found in it besides
 * words. For tests that a stranger's text is shown whole and means nothing.
 */
import type { Format } from "../../../src/channels/port.ts";
import { shownText } from "../../../src/channels/whatsapp/whatsapp-message.ts";

export type ReadText = { shown: string; found: string[] };
type Rule = { name: string; at: RegExp; show?: (match: RegExpExecArray) => string };

/** From left to right, the first rule that fits; what none reads is shown as it is. */
function inline(text: string, rules: readonly Rule[]): ReadText {
  const [found, shown]: [string[], string[]] = [[], []];
  let at = 0;
  while (at < text.length) {
    const hit = rules
      .map((rule) => ({ rule, match: stuck(rule.at, text, at) }))
      .find((one): one is { rule: Rule; match: RegExpExecArray } => one.match !== null);
    if (hit === undefined) {
      shown.push(text.charAt(at));
      at += 1;
      continue;
    }
    const { rule, match } = hit;
    if (rule.name !== "") found.push(`${rule.name} ${match[0]}`);
    shown.push(rule.show?.(match) ?? match[0]);
    at += match[0].length;
  }
  return { shown: shown.join(""), found };
}

function stuck({ source, flags }: RegExp, text: string, at: number): RegExpExecArray | null {
  const rule = new RegExp(source, `${flags}y`);
  rule.lastIndex = at;
  return rule.exec(text);
}

const matches = (text: string, named: Readonly<Record<string, RegExp>>): string[] =>
  Object.entries(named).flatMap(([name, at]) => [...text.matchAll(at)].map(([whole]) => `${name} ${whole}`));

const inner = (match: RegExpExecArray): string => match[1] ?? "";
/** An address in the open is what it says it is. */
const OPEN_ADDRESS = "";

const DISCORD: readonly Rule[] = [
  { name: "", at: /\\([^0-9A-Za-z\s])/, show: inner },
  { name: "autolink", at: /<([^: >]+:\/[^ >]+)>/, show: inner },
  { name: OPEN_ADDRESS, at: /(?:https?|steam):\/\/[^\s<]+[^<.,:;"'\]\s]/ },
  { name: "mention", at: /<(?:@[!&]?|#)\d+>|@everyone|@here|<\/[^:>]+:\d+>|<id:\w+>|<t:-?\d+(?::\w)?>/ },
  { name: "emoji", at: /<a?:\w+:\d+>/ },
  { name: "link", at: /\[([^\]]*)\]\([^)\s]+\)/, show: inner },
  { name: "mark", at: /(?:\*\*?|__?|~~|\|\||`+)(?=\S)[\s\S]+?(?:\*\*?|__?|~~|\|\||`+)/ },
];
const DISCORD_LINES = { block: /^ *(?:#{1,3} |-# |>>? |[*+-] |\d+\. )\S.*/gmu };

function readAsDiscord(raw: string): ReadText {
  const { shown, found } = inline(raw, DISCORD);
  return { shown, found: [...found, ...matches(raw, DISCORD_LINES)] };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#64;": "@",
};
const decoded = (text: string): string => text.replace(/&#?\w+;/g, (entity) => ENTITIES[entity] ?? "?");

const MATTERMOST: readonly Rule[] = [
  { name: "", at: /\\([`*{}[\]()#+\-.!_>|~]|\\(?!\w))/, show: inner },
  { name: "autolink", at: /<((?:[^ >]+(?:@|:\/)|www\d{0,3}\.)[^ >]+)>/, show: inner },
  {
    name: OPEN_ADDRESS,
    at: /(?<![\p{L}\d])(?:(?:https?|ftp|mailto|tel):(?:\/{1,3}|[\p{L}\d%])|www\d{0,3}[.]|[\p{L}\d.-]+[.]\p{L}{2,4}\/)[^\s`!()[\]{;:'",<>?]+/u,
  },
  { name: "tag", at: /<\/?[a-zA-Z][^>]*>|<[?!][\s\S]*?>/, show: () => "" },
  { name: "link", at: /!?\[([^\]]*)\]\s*[([][^)\]]*[)\]]/, show: inner },
  { name: "mark", at: /(?:\*\*?|(?<!\w)__?|~~|`+)(?=\S)[\s\S]+?(?:\*\*?|__?|~~|`+)/ },
];
const MATTERMOST_LINES = {
  code: /(?:^|\n *\n) {4}[^\n]*/gu,
  rule: /^(?: *[-*_]){3,} *$/gmu,
  heading: /^ *#{1,6} +[^\n]+/gmu,
  "heading above": /^[^\n]+\n *[=-]{2,} *$/gmu,
  quote: /^ *>[^\n]+/gmu,
  list: /^ *(?:[*+-]|\d+\.) \S/gmu,
  fence: /^ {0,3}(?:`{3,}|~{3,})/gmu,
  table: /^ *(?:\|.+|\S.*\|.*)\n *\|? *[-:]+ *\|[-| :]*$/gmu,
};
/** In what is left once Markdown is read. */
const MATTERMOST_TEXT = {
  mention: /(?<![\p{L}\p{N}])@[\p{L}\p{N}_]|@(?:all|channel|here)\b/giu,
  channel: /(?<![\p{L}\p{N}])~[\p{L}\p{N}]/gu,
  tag: /(?<![\p{L}\p{N}_/])#\p{L}[\p{L}\p{N}]/gu,
  emoji: /:[a-z0-9_+'-]+:/giu,
  face: /(?<![\p{L}\p{N}])[:;]-?(?:[)(\]/|$']|[odpsx](?![\p{L}\p{N}]))/giu,
};

function readAsMattermost(raw: string): ReadText {
  const lines = raw
    .replaceAll("\u2424", "\n")
    .replace(/\u00A0/g, " ")
    .replaceAll("\t", "    ");
  const { shown, found } = inline(lines, MATTERMOST);
  return {
    shown: decoded(shown),
    found: [...found, ...matches(lines, MATTERMOST_LINES), ...matches(shown, MATTERMOST_TEXT)],
  };
}

const TELEGRAM_TEXT = {
  mention: /(?<![\p{L}\p{N}_])@\w{2,}/gu,
  command: /(?<![\p{L}\p{N}_/<>])\/\w+/gu,
  tag: /(?<![\p{L}\p{N}_]|\p{L}\/)#[\p{N}_]*\p{L}/gu,
};

/** Telegram's HTML, and with it Matrix's, Google Chat's and that of mail. */
function readAsHtml(raw: string): ReadText {
  const { shown, found } = inline(raw, [
    { name: "tag", at: /<[^>]*>?/, show: () => "" },
    { name: "", at: /&(?:lt|gt|amp|quot);/, show: ([entity]) => ENTITIES[entity] ?? "" },
    { name: "entity", at: /&(?:#?\w+;)?/ },
  ]);
  return { shown, found: [...found, ...matches(shown, TELEGRAM_TEXT)] };
}

const SLACK: readonly Rule[] = [
  { name: "", at: /&(?:lt|gt|amp);/, show: ([entity]) => ENTITIES[entity] ?? "" },
  { name: "call", at: /<[^>]*>/, show: () => "" },
  { name: "mark", at: /(?<![\p{L}\p{N}])([*_~`])(?=\S)[^\n]*?\S\1(?![\p{L}\p{N}])/u },
  { name: "emoji", at: /:[a-z0-9_+'-]+:/i },
];

function readAsSlack(raw: string): ReadText {
  const { shown, found } = inline(raw, SLACK);
  return { shown, found: [...found, ...matches(raw, { quote: /^ *(?:&gt;|>)/gmu })] };
}

/** Entities of HTML are nothing to WhatsApp: it shows them as they are. */
export function readAsWhatsapp(raw: string): ReadText {
  const marked = {
    mark: /(?<![\p{L}\p{N}])([*_~])(?=\S)[^\n]*?\S\1(?![\p{L}\p{N}])|`/gu,
    quote: /^> /gmu,
  };
  return { shown: raw, found: matches(raw, marked) };
}

function readAsPlain(raw: string): ReadText {
  const found = {
    call: /<(?:at|mention)[\s/>]|<[@!#&:]/giu,
    command: /^[/!][^\s\u2060]/gmu,
    mention: TELEGRAM_TEXT.mention,
  };
  return { shown: raw, found: matches(raw, found) };
}

export const READERS: readonly { vendor: string; format: Format; read(raw: string): ReadText }[] = [
  { vendor: "Discord", format: "markdown", read: readAsDiscord },
  { vendor: "Mattermost", format: "markdown", read: readAsMattermost },
  { vendor: "Telegram, Matrix, Google Chat and mail", format: "html", read: readAsHtml },
  { vendor: "Slack", format: "mrkdwn", read: readAsSlack },
  { vendor: "WhatsApp", format: "mrkdwn", read: (raw) => readAsWhatsapp(shownText(raw)) },
  { vendor: "Teams, Feishu, Signal, iMessage, SMS, IRC, XMPP and webhooks", format: "plain", read: readAsPlain },
];
