import { describe, expect, it } from "vitest";
import { box } from "./box.ts";
import { ago, duration } from "./duration.ts";
import { lookOf, NO_PAINT } from "./paint.ts";
import { sanitise, sanitiseLine } from "./sanitise.ts";
import { table } from "./table.ts";
import { clip, width } from "./width.ts";
import { flow } from "./flow.ts";
import { hang, wrap } from "./wrap.ts";

describe("text of others on a terminal", () => {
  it.each([
    ["colour and hidden text", "safe\u001b[8mrm -rf /\u001b[0m", "safe␛rm -rf /␛"],
    ["an 8-bit cursor command", "\u009b2J", "␛"],
    ["a clipboard write, its text kept", "\u001b]52;c;cm0gLXJmIC8=\u0007", "␛]52;c;cm0gLXJmIC8=␇"],
    ["an unfinished title, which would swallow the rest", "\u001b]0;then rm -rf /", "␛]0;then rm -rf /"],
    ["NUL and DEL", "a\u0000b\u007f", "a␀b␡"],
    ["a carriage return that would overwrite the line", "harmless\rrm -rf /", "harmless\nrm -rf /"],
    ["backspaces", "abc\b\b\b", "abc␈␈␈"],
    ["a bidirectional override", "user\u202egnp.exe", "user‹U+202E›gnp.exe"],
    ["bidirectional isolates", "a\u2066b\u2069", "a‹U+2066›b‹U+2069›"],
    ["zero-width characters", "r\u200bm\ufeff", "r‹U+200B›m‹U+FEFF›"],
    ["tag characters", "x\u{e0041}", "x‹U+E0041›"],
    ["fillers that look like nothing", "x\u115f\u3164\u2800", "x‹U+115F›‹U+3164›‹U+2800›"],
    ["line and paragraph separators", "a\u2028rm\u2029b", "a‹U+2028›rm‹U+2029›b"],
    ["spaces that are none", "rm -rf\u00a0/\u3000x", "rm -rf⍽/‹U+3000›x"],
    ["a Cyrillic letter in a Latin word", "g\u0456t push", "g‹U+0456›t push"],
    ["wide letters", "\uff52\uff4d x", "‹U+FF52›‹U+FF4D› x"],
    ["a Roman numeral as a letter", "r\u217f -rf x", "r‹U+217F› -rf x"],
    ["a wide semicolon", "a\uff1brm x", "a‹U+FF1B›rm x"],
    ["a joiner between letters", "a\u200db", "a‹U+200D›b"],
    ["a tower of marks", `e${"\u0301".repeat(40)}`, `e${"\u0301".repeat(4)}⟨…⟩`],
    ["private use, also ours", "\ue000\ue001", "‹U+E000›‹U+E001›"],
    ["half a surrogate pair", "a\ud800b", "a‹U+D800›b"],
  ])("[UI-08] makes %s visible", (_what, text, shown) => {
    expect(sanitise(text)).toBe(shown);
  });

  it.each([
    "npm test",
    'git commit -m "Größe"',
    "echo 日本語、それから；ｒｍ",
    "cat ./naïve.txt",
    'echo "❤️" 👨‍👩‍👧 👍🏽 🇩🇪',
    "русский текст",
    "ελληνικά",
    "नमस्ते",
  ])("[UI-08] leaves ordinary text as it is: %s", (text) => {
    expect(sanitise(text)).toBe(text);
  });

  it("[UI-08] does not let blank lines push the end out of sight", () => {
    expect(sanitise(`step 1${"\n".repeat(500)}rm -rf /`)).toBe("step 1\n\nrm -rf /");
    expect(sanitiseLine(" a\n\n b\tc ")).toBe("a b    c");
  });

  it("[UI-08] is safe to apply twice", () => {
    const once = sanitise("g\u0456t\u202e\u001b[8m\u0000");
    expect(sanitise(once)).toBe(once);
  });
});

describe("lines that fit", () => {
  it("counts columns, not characters", () => {
    expect(["abc", "日本", "👍🏽", "é", "e\u0301", "🇩🇪", "❤️"].map(width)).toEqual([3, 4, 2, 1, 1, 2, 2]);
    expect(clip("日本語です", 5)).toBe("日本…");
  });

  it("wraps words, cuts long ones, and loses nothing", () => {
    expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrap(`x${"y".repeat(25)}z`, 10)).toEqual(["xyyyyyyyyy", "yyyyyyyyyy", "yyyyyyz"]);
    expect(wrap("日本語です", 5)).toEqual(["日本", "語で", "す"]);
    expect(wrap("a\n\n  b", 10)).toEqual(["a", "", "  b"]);
    expect(hang("1. ", "one two three", 8)).toEqual(["1. one", "   two", "   three"]);
  });

  it("keeps a line as it is where it fits, columns of code included", () => {
    expect(wrap("  a   = 1;  // b", 20)).toEqual(["  a   = 1;  // b"]);
    expect(wrap("one   two three", 10)).toEqual(["one   two", "three"]);
  });

  it("breaks Chinese and Japanese between characters, never before what closes, and Korean between words", () => {
    expect(wrap("x 全角文字と半角", 9)).toEqual(["x 全角文", "字と半角"]);
    expect(wrap("- 箇条書き、二", 8)).toEqual(["- 箇条書", "  き、二"]);
    expect(wrap("日本語。です", 6)).toEqual(["日本", "語。で", "す"]);
    expect(wrap("결제 환불 구독", 6)).toEqual(["결제", "환불", "구독"]);
  });

  it("hangs what goes on behind the mark of its line: boxes, numbers, bullets, signs of a difference", () => {
    expect(wrap("  [ ] 1. one two three", 20)).toEqual(["  [ ] 1. one two", "         three"]);
    expect(wrap("+ 4. one two three", 11)).toEqual(["+ 4. one", "     two", "     three"]);
    expect(wrap("- one two", 6)).toEqual(["- one", "  two"]);
    expect(wrap("  │ one [x] two", 9)).toEqual(["  │ one", "  │ [x]", "  │ two"]);
    expect(wrap("  [ ] 12. one two", 12)).toEqual(["  [ ] 12.", "  one two"]); // no room to hang
  });

  it("[UI-14] draws a Markdown table in columns that fit, and wraps inside of its cells", () => {
    const text =
      "a\n\n  | Caller | Charges | Key |\n  | :-- | --: | :-- |\n  | Renewal worker | 41,870 | `a` |\n  | 決済 | 19 | **none** |\nb";
    expect(flow(text, 60)).toEqual([
      "a",
      "",
      "  Caller          Charges  Key",
      "  ──────────────  ───────  ────────",
      "  Renewal worker   41,870  `a`",
      "  決済                 19  **none**",
      "b",
    ]);
    expect(flow(text, 30)).toEqual([
      "a",
      "",
      "  Caller     Charges  Key",
      "  ─────────  ───────  ────────",
      "  Renewal     41,870  `a`",
      "  worker",
      "  決済            19  **none**",
      "b",
    ]);
    expect(flow("```\n| a | b |\n| --- | --- |\n```", 30)).toEqual(["```", "| a | b |", "| --- | --- |", "```"]);
    expect(flow("| a | b |\nno table", 30)).toEqual(["| a | b |", "no table"]);
  });

  it("[UI-14] tells a table that is too wide for columns row by row", () => {
    const text =
      "| Topic | Corvid | What we do |\n|---|---|---|\n| Amount | decimal | convert once |\n| Capture | automatic | |";
    expect(flow(text, 14)).toEqual([
      "Topic: Amount",
      "Corvid:",
      "decimal",
      "What we do:",
      "convert once",
      "",
      "Topic: Capture",
      "Corvid:",
      "automatic",
    ]);
  });

  it("draws frames of one width, narrow and with wide characters", () => {
    const look = { columns: 24, paint: NO_PAINT };
    const drawn = box(
      { label: "Plan", note: "waiting", lines: [{ text: "日本" }, { text: "" }], edge: (text) => text },
      look,
    );
    expect(drawn).toEqual([
      "╭─ Plan ───── waiting ─╮",
      "│ 日本                 │",
      "│                      │",
      "╰──────────────────────╯",
    ]);
    expect(new Set(drawn.map(width))).toEqual(new Set([24]));
  });

  it("aligns tables and cuts only the last column", () => {
    const look = { columns: 24, paint: NO_PAINT };
    expect(
      table(
        ["id", "title"],
        [
          ["ses_1", "A rather long title"],
          ["s", "b"],
        ],
        look,
      ),
    ).toEqual(["id     title", "ses_1  A rather long ti…", "s      b"]);
  });

  it("says times as people do", () => {
    expect([500, 61_000, 3_600_000, 86_399_000, 864_000_000].map(duration)).toEqual([
      "0 s",
      "1 min",
      "1 h",
      "23 h 59 min",
      "10 days",
    ]);
    expect(ago(1000)).toBe("just now");
  });

  it("paints only on a terminal that wants it", () => {
    const painted = (terminal: object, env: Record<string, string>) => lookOf(terminal, env).paint.bad("x") !== "x";
    expect([
      painted({ isTTY: true }, {}),
      painted({ isTTY: true }, { NO_COLOR: "1" }),
      painted({ isTTY: true }, { TERM: "dumb" }),
      painted({}, {}),
      painted({}, { FORCE_COLOR: "1" }),
    ]).toEqual([true, false, false, false, true]);
    expect([lookOf({ columns: 20 }, {}).columns, lookOf({ columns: 300 }, {}).columns, lookOf({}, {}).columns]).toEqual(
      [39, 100, 79],
    );
  });
});
