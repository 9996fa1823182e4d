import { describe, expect, it } from "vitest";
import { foldCharacter, skeleton } from "./fold-look-alikes.ts";

const point = (code: number): string => String.fromCodePoint(code);

describe("letters that look like Latin ones", () => {
  it.each([
    ["a", "а α ᎪᗅɑⲀ@4"],
    ["b", "В β Ь ᏴʙɓⲂ"],
    ["c", "с Ϲ Ꮯ ᴄ ⅽ ¢"],
    ["d", "ԁ Ꭰ ᗞ ᴅ đ Ð"],
    ["e", "е Ε є Ꭼ ɛ ℮ 3"],
    ["f", "Ϝ ғ ᖴ ƒ"],
    ["g", "ԍ Ꮐ ɢ ɡ ց"],
    ["h", "Н Η һ Ꮋ ʜ հ"],
    ["i", "і Ι ї ӏ ı | ! 1 l L ł ℓ"],
    ["j", "ј Ꭻ ᴊ յ"],
    ["k", "к Κ Ꮶ ᴋ қ"],
    ["m", "М Μ Ꮇ ᴍ ⅿ"],
    ["n", "Ν п ո ɴ И η"],
    ["o", "о Ο օ 0 ø σ ০"],
    ["p", "р Ρ Ꮲ þ ᴘ"],
    ["q", "ԛ գ զ"],
    ["r", "г Г Ꭱ ʀ ᴦ"],
    ["s", "ѕ Տ Ꮥ 5 $ §"],
    ["t", "т Τ Ꭲ ᴛ ŧ †"],
    ["u", "ս υ ц ᴜ ∪"],
    ["v", "ѵ Ꮩ ν ⅴ"],
    ["w", "ԝ Ꮃ ш ω ա"],
    ["x", "х Χ ⅹ Ⲭ"],
    ["y", "у Υ ү Ꭹ ʏ"],
    ["z", "Ζ Ꮓ ᴢ ʐ"],
  ])("[IN-04] are read as %s: %s", (letter, lookAlikes) => {
    const folded = Array.from(lookAlikes.replaceAll(" ", "")).map(foldCharacter);
    expect(new Set(folded)).toEqual(new Set([letter]));
  });

  it("[IN-04] in capitals, and in compatibility forms, too", () => {
    expect(skeleton("ＰＬＡＮ")).toBe(skeleton("plan"));
    expect(skeleton("𝐏𝐋𝐀𝐍 ⓅⓁⒶⓃ")).toBe(skeleton("planplan"));
    expect(foldCharacter("ﬁ")).toBe("fi");
    expect(foldCharacter("Ⅳ")).toBe("iv");
    expect([foldCharacter("Қ"), foldCharacter("𝚴"), foldCharacter("𝛎")]).toEqual(["k", "n", "v"]);
  });

  it.each([
    ["negative circled", 0x1f150],
    ["negative squared", 0x1f170],
    ["regional indicators", 0x1f1e6],
    ["tag capitals", 0xe0041],
    ["tag letters", 0xe0061],
  ])("[IN-04] alphabets of pictures spell, from the first letter to the last: %s", (_what, first) => {
    expect([point(first), point(first + 15), point(first + 25)].map(foldCharacter)).toEqual(["a", "p", "z"]);
    expect(["z", "p", "{"]).not.toContain(foldCharacter(point(first - 1)));
    expect(["a", "z"]).not.toContain(foldCharacter(point(first + 26)));
  });

  it("[IN-04] tags are the ASCII signs that they hide, from the space to the tilde", () => {
    expect([0xe0020, 0xe002f, 0xe005b, 0xe005f, 0xe007e].map(point).map(foldCharacter)).toEqual([
      " ",
      "/",
      "[",
      "_",
      "~",
    ]);
    expect(foldCharacter(point(0xe007f))).toBe("");
  });

  it.each([
    ["a mark on a letter", "\u0301"],
    ["a zero-width space", "\u200b"],
    ["half of a pair", "\ud83d"],
    ["Hangul fillers", "\u115f\u1160\u3164\uffa0"],
    ["Khmer vowels that are not shown", "\u17b4\u17b5"],
    ["selectors of variants", "\ufe0f\u{e0100}\u{e01ef}"],
    ["control characters", "\u0000\u0007\u001b\u007f\u0085"],
  ])("[IN-04] nothing is left of what cannot be seen: %s", (_what, hidden) => {
    expect(Array.from(hidden, foldCharacter).join("")).toBe("");
  });

  it("[IN-04] spaces, breaks, other letters and signs stay, in small letters", () => {
    expect(["\n", "\t", " ", "?", "日", "Ж", "Q", "_"].map(foldCharacter)).toEqual([
      "\n",
      "\t",
      " ",
      "?",
      "日",
      "ж",
      "q",
      "_",
    ]);
    expect(skeleton("[ /Plan-Mode_7 ]")).toBe(skeleton("planmode7"));
    expect(skeleton("[ /Plan-Mode_7 ]")).toMatch(/^[a-z7]+$/);
  });

  it("[IN-04, GW-05] a character is folded the same however many came before it", () => {
    for (let code = 0x4e00; code < 0x4e00 + 5_000; code++) foldCharacter(point(code));
    expect([foldCharacter("Р"), foldCharacter("Р"), foldCharacter("龍")]).toEqual(["p", "p", "龍"]);
  });
});
