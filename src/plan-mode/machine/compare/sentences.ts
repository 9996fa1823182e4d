/** A text in the pieces that people read and change as one: sentences, lines of a list or a table, lines of code. */

/**
 * An end of a sentence, with the quotes and brackets behind it and the blanks up to the next; else the end of a line.
 * A point inside of a name or a number (`a.ts`, 0.5) ends nothing.
 */
const END = /(?:[.!?;]+["'”’)\]]*(?:[ \t]+|(?=\n))|[。！？；]+[」』）]*|(?=\n)\n+)\n*/gu;

/** Joined they are the text again. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let at = 0;
  for (const { 0: end, index } of text.matchAll(END)) {
    sentences.push(text.slice(at, index + end.length));
    at = index + end.length;
  }
  if (at < text.length) sentences.push(text.slice(at));
  return sentences;
}
