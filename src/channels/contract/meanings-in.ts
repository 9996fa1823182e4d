/** What a reader of a format would find in a text besides words: for tests that it finds nothing of a stranger's. */
import type { Format } from "../port.ts";

/** Ours are taken out first: bold, struck and code at the places where the renderer puts them. */
const OURS: Readonly<Record<Format, RegExp>> = {
  html: /<\/?(?:b|s)>|<code>[^<]*<\/code>|(?<=type )\/plan view/g,
  mrkdwn: /(?<=^|\s)[*~](?=\S)|(?<=\S)[*~](?=$)|`\/[^`\n]*`/gm,
  markdown: /(?<=^|\s)(?:\*\*|~~)(?=\S)|(?<=\S)(?:\*\*|~~)(?=$)|(?<!\\)`\/[^`\n]*`/gm,
  plain: /$^/g,
};

const FOUND: Readonly<Record<Format, readonly RegExp[]>> = {
  html: [/<[a-z!/]/i, /&(?!(?:amp|lt|gt|quot);)/, /(?<![\p{L}\p{N}/&])\/\w/u],
  mrkdwn: [/<[@!#a-z]/i, /(?<![\p{L}\p{N}])[*~`]\S/u, /&(?!(?:amp|lt|gt);)/],
  markdown: [/(?<!\\)[*_~`[\]]|<(?!\u200B)/, /^#/m],
  plain: [/<[@!#]/],
};
const MENTION = /@(?:everyone|here|channel|all\b|room\b)|(?<![\p{L}\p{N}])@[\p{L}\p{N}_]/iu;

const LOOK_ALIKES: Readonly<Record<string, string>> = { "﹫": "@", "∗": "*", "∼": "~", ˋ: "`", "＿": "_", "›": ">" };

/** As the eye sees it: look-alikes for what they look like, joints for nothing, blanks for nothing. */
export const asSeen = (text: string): string =>
  text.replace(/[﹫∗∼ˋ＿›]/g, (sign) => LOOK_ALIKES[sign] ?? "").replace(/[\u2060\u200B\s]/g, "");

export const withoutOurs = (raw: string, format: Format): string => raw.replace(OURS[format], "");

export function meaningsIn(raw: string, format: Format): string[] {
  const foreign = withoutOurs(raw, format);
  return [...FOUND[format], MENTION].flatMap((pattern) => pattern.exec(foreign)?.[0] ?? []);
}
