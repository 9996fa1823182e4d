import { describe, expect, it } from "vitest";
import { sanitise } from "../../cli/text/sanitise.ts";
import { hidesSomething, showHidden } from "./hidden-characters.ts";

describe("text of strangers", () => {
  it.each([
    ["a bidirectional override", "delete \u202Etxt.exe", "delete ‹U+202E›txt.exe"],
    ["an isolate", "\u2066x\u2069", "‹U+2066›x‹U+2069›"],
    ["a zero-width space", "rm\u200B -rf", "rm‹U+200B› -rf"],
    ["a word joiner and a byte-order mark", "a\u2060b\uFEFF", "a‹U+2060›b‹U+FEFF›"],
    ["a soft hyphen", "pass\u00ADword", "pass‹U+00AD›word"],
    ["tag characters that spell a hidden message", "ok\u{E0068}\u{E0069}", "ok‹U+E0068›‹U+E0069›"],
    ["control characters", "a\u0000b\u001Bc\u0085", "a‹U+0000›b‹U+001B›c‹U+0085›"],
    ["a joiner between letters", "a\u200Db", "a‹U+200D›b"],
    ["a joiner between a letter and a picture", "a\u200D\u{1F469}", "a‹U+200D›\u{1F469}"],
    ["a Hangul filler", "a\u3164b", "a‹U+3164›b"],
    ["a blank of Braille", "a\u2800b", "a‹U+2800›b"],
    ["a character that nobody defined, and a private one", "a\u0378b\uE000", "a‹U+0378›b‹U+E000›"],
    ["half of a pair", "a\uD83D", "a‹U+D83D›"],
    ["a return that ends no line", "a\rb", "a‹U+000D›b"],
    ["a joiner behind a picture and before nothing", "\u{1F469}\u200D", "\u{1F469}‹U+200D›"],
  ])("[UI-08] shows %s", (_what, text, shown) => {
    expect(showHidden(text)).toBe(shown);
    expect(hidesSomething(text)).toBe(true);
  });

  it.each(["plain\ttext\nof lines\r\n", "👩‍💻 👨‍👩‍👧 ❤️ 👍🏽", "العربية עברית", "नमस्ते", "日本語", "naïve “quotes” …"])(
    "[UI-08] leaves %j as it is",
    (text) => {
      expect(showHidden(text)).toBe(text);
      expect(hidesSomething(text)).toBe(false);
    },
  );

  it("[UI-08] is written in the terminal with the same marks", () => {
    const hidden = [
      "\u202E",
      "\u2066",
      "\u200B",
      "\u2060",
      "\uFEFF",
      "\u00AD",
      "\u3164",
      "\u2800",
      "\uE000",
      "\u{E0068}",
    ];
    const texts = hidden.map((character) => `a${character}b`);
    expect(texts.map(sanitise)).toEqual(texts.map(showHidden));
  });
});
