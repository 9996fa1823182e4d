/** A word as it is compared: small letters, without accents, so that a text typed without them is recognised too. */
const PLAIN = /^[ -~]*$/;
const LATIN_WITH_MARKS = /[\u00C0-\u024F\u1E00-\u1EFF]|\u0307/;
const LETTERS_APART: Readonly<Record<string, string>> = { ł: "l", ı: "i", ß: "ss", ø: "o", đ: "d", æ: "ae", œ: "oe" };

export function foldWord(word: string): string {
  const small = word.toLowerCase();
  if (PLAIN.test(small)) return small.includes("'") ? small.replaceAll("'", "") : small;
  const straight = small.replace(/[’ʼ']/g, "");
  if (!LATIN_WITH_MARKS.test(straight)) return straight;
  return straight
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[łıßøđæœ]/g, (letter) => LETTERS_APART[letter] ?? letter);
}
