/**
 * What a reader cannot see must not decide what they read: invisible, reordering and control characters are shown by
 * their number, the same way on the page, in the terminal and in what the agent is told. Without a schema library: the
 * page reads this file too.
 */

/** Format, control, private and unassigned characters, lone surrogates, blank letters; not line break and tab, nor what joins or colours emoji. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D\p{Extended_Pictographic}|(?<=\p{Emoji})\uFE0F|\r\n|[\n\t])(?:\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Cc}|[\u2028\u2029\u2800])/gu;

/** Nothing in it could be hidden: most of what is written, and found out much faster than the rest. */
const PLAIN = /^[\t\n -~]*$/;

/** Every hidden character as ‹U+200B›; emoji stay whole. */
export const showHidden = (text: string): string => (PLAIN.test(text) ? text : text.replaceAll(HIDDEN, hiddenMark));

/** Whether a text holds anything that `showHidden` would show. */
export const hidesSomething = (text: string): boolean => !PLAIN.test(text) && text.search(HIDDEN) !== -1;

/** How one character that cannot be seen is written. */
export function hiddenMark(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `‹U+${code}›`;
}
