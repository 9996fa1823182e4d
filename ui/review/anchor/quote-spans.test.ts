import { describe, expect, it } from "vitest";
import { quoteAt, shownSpan, spanOfQuote, writtenSpan } from "./quote-spans.ts";

/** The written words behind shown ones, and the shown words behind those again. */
function thereAndBack(shown: string, written: string, words: string) {
  const start = shown.indexOf(words);
  const span = writtenSpan(shown, written, { start, end: start + words.length });
  const back = span === undefined ? undefined : shownSpan(shown, written, span);
  return [span && written.slice(span.start, span.end), back && shown.slice(back.start, back.end)];
}

describe("a selection in a plan", () => {
  it.each([
    ["plain words", "Rename the file", "Rename the file", "the file", "the file"],
    ["half a word takes the whole one", "Rename the file", "Rename the file", "nam", "Rename"],
    ["words in Markdown", "Use a strong lock here", "Use a **strong lock** here", "strong lock", "strong lock"],
    ["across a mark", "Use a strong lock here", "Use a **strong** lock here", "a strong lock", "a **strong** lock"],
    [
      "behind a link",
      "See the manual for more",
      "See [the manual](https://x.example/more/of) for more",
      "for more",
      "for more",
    ],
    ["over two items of a list", "one two\nthree", "- one two\n- three", "two\nthree", "two\n- three"],
    ["beside a hidden character", "rm‹U+202E› the file", "rm\u202E the file", "the file", "the file"],
    ["letters without spaces", "重命名文件", "重命名文件", "文件", "文件"],
  ])("[RV-01] %s", (...[, shown, written, words, found]) => {
    const [there, back] = thereAndBack(shown, written, words);
    expect(there).toBe(found);
    expect(back).toContain(words.trim());
  });

  it("[RV-01] of what nobody wrote is none", () => {
    expect(writtenSpan("☑ ok", "ok", { start: 0, end: 1 })).toBeUndefined();
  });

  it("[RV-01] becomes a quote with what stands around it, and is found again", () => {
    const text = `${"a ".repeat(100)}here it is ${"b ".repeat(100)}`;
    const start = text.indexOf("here");
    const quote = quoteAt(text, { start, end: start + 10 });
    expect(quote).toEqual({ exact: "here it is", prefix: "a ".repeat(32), suffix: ` ${"b ".repeat(31)}b`, start });
    expect(spanOfQuote(text, quote)).toEqual({ start, end: start + 10 });
    expect(spanOfQuote(`x${text}`, quote)).toEqual({ start: start + 1, end: start + 11 });
    expect(spanOfQuote("gone", quote)).toBeUndefined();
  });

  it("[RV-01] longer than a quote may be is cut, and its end still follows it", () => {
    const quote = quoteAt("x".repeat(1_000), { start: 0, end: 900 });
    expect(quote.exact).toHaveLength(400);
    expect(quote.suffix).toHaveLength(64);
  });
});
