import { describe, expect, it } from "vitest";
import { revealHidden } from "../../src/core/text/visible-text.ts";
import { hidesSomething, visibly } from "./visibly.ts";

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
    ["a Hangul filler", "a\u3164b", "a‹U+3164›b"],
    ["a blank of Braille", "a\u2800b", "a‹U+2800›b"],
    ["a character that nobody defined, and a private one", "a\u0378b\uE000", "a‹U+0378›b‹U+E000›"],
    ["half of a pair", "a\uD83D", "a‹U+D83D›"],
    ["a return that ends no line", "a\rb", "a‹U+000D›b"],
    ["a joiner behind a picture and before nothing", "\u{1F469}\u200D", "\u{1F469}‹U+200D›"],
  ])("[UI-08] shows %s", (_what, text, shown) => {
    expect(visibly(text)).toBe(shown);
    expect(hidesSomething(text)).toBe(true);
  });

  it.each(["plain\ttext\nof lines\r\n", "👩‍💻 👨‍👩‍👧 ❤️ 👍🏽", "العربية עברית", "नमस्ते", "日本語", "naïve “quotes” …"])(
    "[UI-08] leaves %j as it is",
    (text) => {
      expect(visibly(text)).toBe(text);
      expect(hidesSomething(text)).toBe(false);
    },
  );

  it("[UI-08] is written as the gateway writes it, character for character", () => {
    const everything = Array.from({ length: 0x30_00 }, (_, code) => `a${String.fromCodePoint(code)}b`);
    const rest = [0xfe_00, 0xfe_0f, 0xfe_ff, 0xff_a0, 0xff_f9, 0xff_fd, 0x1_d1_73, 0xe_00_01, 0xe_01_00, 0x1f_46_9];
    const texts = [...everything, ...rest.map((code) => `a${String.fromCodePoint(code)}b`), "👩‍💻 ❤️ 1️⃣ 👍🏽‍x", "\uD800"];
    expect(texts.map(visibly)).toEqual(texts.map(revealHidden));
  });
});
