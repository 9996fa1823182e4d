/**
 * A program in which each character fits in one byte. Node keeps the text of what it runs, and one character beyond that doubles
 * the memory of the whole file; esbuild writes such characters as escapes in strings, and leaves them in regular expressions.
 */
const BEYOND = /(\\*)([^\0-\u00ff])/g;
/** A tag is given the text as it was written, where an escape is six characters. */
const RAW = /String\.raw\s*`(?:[^`\\]|\\[^])*?[^\0-\u00ff]/;

export function oneByteText(text: string): string {
  if (RAW.test(text)) return text;
  return text.replaceAll(BEYOND, (whole, slashes: string, character: string) =>
    slashes.length % 2 === 1 ? whole : `${slashes}\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
