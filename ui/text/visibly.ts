/**
 * Text of agents, tools and people as plain text that shows everything it holds. A character that cannot be seen, or
 * that turns the direction of reading around, could make a plan read differently from what would be done; each is
 * replaced by its code point in brackets. Tabs, line breaks and the joiners inside emoji stay. The gateway writes it the
 * same way wherever it shows a text itself, and the test beside this file holds the two together.
 */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D\p{Extended_Pictographic}|(?<=\p{Emoji})\uFE0F|\r\n|[\n\t])(?:\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Cc}|[\u2028\u2029\u2800])/gu;

/** Nothing in it could be hidden: most of what is written, and told much faster than the rest. */
const PLAIN = /^[\t\n -~]*$/;

export const visibly = (text: string): string => (PLAIN.test(text) ? text : text.replaceAll(HIDDEN, codeOf));

/** Whether a text holds anything that `visibly` would show. */
export const hidesSomething = (text: string): boolean => text.search(HIDDEN) !== -1;

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `‹U+${code}›`;
}
