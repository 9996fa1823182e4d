/** Each way to hide something from whoever reads a terminal, one at a time (UI-08). */
import { describe, expect, it } from "vitest";
import { sanitise, sanitiseLine } from "./sanitise.ts";

describe("text of others on a terminal", () => {
  it.each([
    ["a colour without numbers", "a\u001b[mb", "a␛b"],
    ["a colour of many numbers", "a\u001b[38;5;196mb", "a␛b"],
    ["a cursor that changes its form", "a\u001b[0 qb", "a␛b"],
    ["a reset with signs in between", "a\u001b[1!!pb", "a␛b"],
    ["a private mode", "a\u001b[?25lb", "a␛b"],
    ["an insertion", "a\u001b[@b", "a␛b"],
    ["the last of all commands", "a\u001b[3~b", "a␛b"],
    ["a command of one byte", "a\u009b1;2Hb", "a␛b"],
    ["one that ends nowhere", "a\u001b[", "a␛["],
    ["a bell and a tab", "a\u0007\tb", "a␇    b"],
    ["bytes that some terminals obey", "a\u0080b\u009fc", "a‹U+0080›b‹U+009F›c"],
    ["the last below the space", "a\u001fb", "a␟b"],
    ["a joiner of letters", "a\u034fb", "a‹U+034F›b"],
    ["a sign that counts in Arabic", "a\u0600b", "a‹U+0600›b"],
    ["a private character", "a\ue123b", "a‹U+E123›b"],
    ["a wide space", "a\u2003b", "a‹U+2003›b"],
    ["a joiner with nothing before it", "\u200d\u{1f469}", "‹U+200D›\u{1f469}"],
    ["a joiner with nothing behind it", "\u{1f469}\u200dx", "\u{1f469}‹U+200D›x"],
    ["a style on a letter", "a\ufe0f", "a‹U+FE0F›"],
  ])("[UI-08] makes %s visible", (_what, text, shown) => {
    expect(sanitise(text)).toBe(shown);
  });

  it.each([
    "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}",
    "❤\ufe0f\u200d\u{1f525}",
    "#\ufe0f\u20e3 *\ufe0f 1\ufe0f",
    "\u{1f468}\u200d\u{1f469}",
  ])("[UI-08] leaves emoji whole: %j", (text) => expect(sanitise(text)).toBe(text));

  it("[UI-08] four marks on a letter are writing, five a tower", () => {
    expect(sanitise(`e${"\u0301".repeat(4)}`)).toBe(`e${"\u0301".repeat(4)}`);
    expect(sanitise(`e${"\u0301".repeat(5)} a${"\u0302".repeat(9)}`)).toBe(
      `e${"\u0301".repeat(4)}⟨…⟩ a${"\u0302".repeat(4)}⟨…⟩`,
    );
  });

  it.each([
    ["a Greek letter", "g\u03bfod", "g‹U+03BF›od"],
    ["an Armenian letter", "o\u0578e", "o‹U+0578›e"],
    ["a Cherokee letter", "\u13aabc", "‹U+13AA›bc"],
    ["two of them", "\u0441\u0430t", "‹U+0441›‹U+0430›t"],
    ["one behind a digit", "a1\u0430", "a1‹U+0430›"],
    ["one behind a Roman numeral", "a\u2160\u0430", "a‹U+2160›‹U+0430›"],
    ["capitals", "R\u041c", "R‹U+041C›"],
    ["mathematical letters", "\u{1d42b}\u{1d426} x", "‹U+1D42B›‹U+1D426› x"],
    ["the first and the last of the wide signs", "\uff01 \uff5e", "‹U+FF01› ‹U+FF5E›"],
  ])("[UI-08] shows a word that is not what it reads as: %s", (_what, text, shown) => {
    expect(sanitise(text)).toBe(shown);
  });

  it.each([
    "日本 ｒｍ",
    "ひら ｒｍ",
    "カタ ｒｍ",
    "한글 ｒｍ",
    "ㄅㄆ ｒｍ",
    "\u0430\u0431 ab", // words of their own
    "a-\u0430",
  ])("[UI-08] leaves what is ordinary in its script: %s", (text) => expect(sanitise(text)).toBe(text));

  it("[UI-08] judges each line by its own script", () => {
    expect(sanitise("日本\nｒｍ")).toBe("日本\n‹U+FF52›‹U+FF4D›");
  });

  it("[UI-08] keeps one blank line, also where others hold spaces", () => {
    expect(sanitise("a\nb\n\nc")).toBe("a\nb\n\nc");
    expect(sanitise("a\n\n\nb")).toBe("a\n\nb");
    expect(sanitise("a\n  \n \nb\n\n\nc")).toBe("a\n\nb\n\nc");
    expect(sanitise("a\r\nb\rc")).toBe("a\nb\nc");
  });

  it("[UI-08] in one line has no break and no space around it", () => {
    expect(sanitiseLine("  a \n b\n\nc ")).toBe("a b c");
    expect(sanitiseLine("a\nb")).toBe("a b");
  });
});
