/**
 * Text of agents, tools and people as plain text that shows everything it holds. A character that cannot be seen, or
 * that turns the direction of reading around, could make a plan read differently from what would be done; each is
 * replaced by its code point in brackets. Tabs, line breaks and the joiners inside emoji stay.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- such characters are what it looks for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0E\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]|(?<!\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)\u200D|(?<![\p{Emoji}])\uFE0F/gu;

export const visibly = (text: string): string => text.replaceAll(HIDDEN, codeOf);

/** Whether a text holds anything that `visibly` would show. */
export const hidesSomething = (text: string): boolean => text.search(HIDDEN) !== -1;

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟦U+${code}⟧`;
}
