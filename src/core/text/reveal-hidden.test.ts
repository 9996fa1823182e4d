import { describe, expect, it } from "vitest";
import { firstChars, isBlank, oneLine, revealHidden } from "./reveal-hidden.ts";

describe("hidden characters", () => {
  it.each([
    ["rm\u202e -rf", "rm‹U+202E› -rf"],
    ["a\u200bb", "a‹U+200B›b"],
    ["x\u115f", "x‹U+115F›"],
    ["safe\u001b[8mrm", "safe‹U+001B›[8mrm"],
    ["\u009b2J", "‹U+009B›2J"],
    ["a\u0000b", "a‹U+0000›b"],
    ["a\u2028rm", "a‹U+2028›rm"],
    ["a\rb", "a‹U+000D›b"],
    ["a\ufeffb", "a‹U+FEFF›b"],
    ["\ud83d!", "‹U+D83D›!"],
    ["tag \u{e0041}", "tag ‹U+E0041›"],
    ["a\u200db", "a‹U+200D›b"],
  ])("[UI-08] %j is shown as %s", (text, shown) => {
    expect(revealHidden(text)).toBe(shown);
  });

  it.each(["line\n\tnext", "schöne Grüße", "日本語", "👨‍👩‍👧 ❤️ 👍🏽", "e\u0301"])("[UI-08] %j stays", (text) => {
    expect(revealHidden(text)).toBe(text);
  });

  it("[UI-08] Windows line ends become plain ones", () => {
    expect(revealHidden("a\r\nb")).toBe("a\nb");
  });

  it("[PL-07] what shows nothing is blank", () => {
    expect(["", " \n", "\u200b\u2060", "\u3164", "\u00a0"].map(isBlank)).toEqual([true, true, true, true, true]);
    expect(["\u0007", "\u0000\n\t\u009b"].map(isBlank)).toEqual([true, true]);
    expect(isBlank("x")).toBe(false);
  });

  it("[CH-10] one line stays one line, and a cut never halves a character", () => {
    expect(oneLine(" a\n\n b\u2029c ")).toBe("a b‹U+2029›c");
    expect(firstChars("ab👍", 3)).toBe("ab");
    expect(firstChars("ab", 3)).toBe("ab");
    expect(firstChars("👍ab", 3)).toBe("👍a");
    expect(firstChars("a\ud83d", 2)).toBe("a\ud83d"); // what fits is not cut, be it broken or not
  });
});
