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
  markdown: [/(?<!\\)[*_~`[\]<]/, /^#/m],
  plain: [/<[@!#]/],
};
const MENTION = /@(?:everyone|here|channel|all\b|room\b)|(?<![\p{L}\p{N}._%+-])@[\p{L}\p{N}_]/iu;

export function meaningsIn(raw: string, format: Format): string[] {
  const foreign = raw.replace(OURS[format], "");
  return [...FOUND[format], MENTION].flatMap((pattern) => pattern.exec(foreign)?.[0] ?? []);
}
