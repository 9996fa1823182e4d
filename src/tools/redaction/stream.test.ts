/** A key that arrives in pieces: nothing of it is shown, nothing else is lost, and what can be shown is shown at once (GW-04). */
import { describe, expect, it } from "vitest";
import { CENSOR, createRedaction } from "./redaction.ts";

const KEY = "sk-ant-a1B2c3D4e5F6g7H8i9J0k1L2";
const WAITING_CHARS_MAX = 1_024;
const keyOf = (prefix: string, chars: number): string => prefix.padEnd(chars, "a1B2c3");
const capitals = (chars: number): string => "AKIA".padEnd(chars, "A1B2");

/** What a stream shows for each piece, and for the end. */
function shown(pieces: readonly string[], values: readonly string[] = []): string[] {
  const stream = createRedaction(() => values).stream();
  return [...pieces.map((piece) => stream.push(piece)), stream.end()];
}

describe("values and keys that overlap", () => {
  const CHAIN = ["overlap-one", "one-more-value", "value-of-a-city"];

  it("[GW-04] are kept back whole while the last of them may go on", () => {
    expect(shown(["overlap-one-more-value", "-of-a", "?"], CHAIN)).toEqual(["", "", `${CENSOR}-of-a?`, ""]);
    expect(shown(["overlap-one-more-value", "-of-a-city"], CHAIN)).toEqual(["", CENSOR, ""]);
    expect(shown(["overlap-one-more-value"], CHAIN)).toEqual(["", CENSOR]);
  });

  it("[GW-04] are left out in whatever order they are configured", () => {
    const { text } = createRedaction(() => ["first-value", "second-value", "third-value"]);
    expect(text("third-value second-value first-value")).toBe(`${CENSOR} ${CENSOR} ${CENSOR}`);
  });

  it("[GW-04] a value with a key in it is kept back from its own beginning", () => {
    for (const value of [`user of ${KEY} at home`, "alpha sk-ant-omega"]) {
      for (let cut = 1; cut < value.length; cut++)
        expect(shown([value.slice(0, cut), value.slice(cut)], [value]).join("")).toBe(CENSOR);
    }
  });

  it("[GW-04] what stands before a value's beginning is shown, and so is a secret that ended", () => {
    expect(shown([`${KEY} and h`, "ello "])).toEqual([`${CENSOR} and `, "hello ", ""]);
    expect(shown(["12345678h", "ello "], ["12345678"])).toEqual([CENSOR, "hello ", ""]);
  });
});

describe("a key that goes on and on", () => {
  it("[GW-04, GW-05] is waited for up to a length, and then left out at once", () => {
    expect(shown([keyOf("sk-ant-", WAITING_CHARS_MAX)])).toEqual([CENSOR, ""]);
    expect(shown([keyOf("sk-ant-", WAITING_CHARS_MAX - 1)])).toEqual(["", CENSOR]);
    const before = "word ".repeat(WAITING_CHARS_MAX);
    expect(shown([`${before}${KEY}`])).toEqual([before, CENSOR]);
  });

  it("[GW-04] is swallowed to its end and no further, whatever it is made of", () => {
    for (const key of [keyOf("sk-ant-", 1_500), keyOf("ghp_", 1_500), capitals(1_500)]) {
      expect(shown([key, "A1", "B2 y", "plain words "])).toEqual([CENSOR, "", " y", "plain words ", ""]);
      expect(shown([key, "A1"])).toEqual([CENSOR, "", ""]);
    }
  });

  it("[GW-04] leaves the colours around it as they are", () => {
    const [red, plain] = ["\u001B[31m", "\u001B[0m"];
    const key = keyOf("sk-ant-", 1_500);
    expect(shown([`${red}${key}${plain}`, " y"])).toEqual([`${red}${CENSOR}${plain}`, " y", ""]);
    expect(shown([key, `${plain} y`])).toEqual([CENSOR, `${plain} y`, ""]);
    expect(shown([key, `B2${plain} y`])).toEqual([CENSOR, `${plain} y`, ""]);
  });

  it("[GW-04] is part of the word in which the next one stands, as in one piece", () => {
    const long = ` ${capitals(1_500)}`;
    const whole = createRedaction(() => []).text(`${long}${KEY}`);
    expect(whole).toBe(` ${CENSOR}${KEY}`);
    for (const pieces of [
      [long, KEY],
      [long.slice(0, -2), `${long.slice(-2)}${KEY}`],
      [long, "s", KEY.slice(1)],
    ])
      expect(shown(pieces).join("")).toBe(whole);
  });
});

describe("colours", () => {
  const COLOURS = ["\u001B[38;2;255;0;0m", "\u001B[>4m", "\u001B[0 q", "\u001B(B", "\u001B$(B"];

  it.each(COLOURS)("[GW-04] inside a key hide nothing, wherever the pieces are cut: %j", (colour) => {
    for (const before of ["", "some words that are shown, and more of them "]) {
      const text = `${before}${KEY.slice(0, 9)}${colour}${KEY.slice(9)}`;
      for (let cut = before.length + 1; cut < text.length; cut++)
        expect(shown([text.slice(0, cut), text.slice(cut)]).join("")).toBe(`${before}${CENSOR}`);
    }
  });

  it("[GW-04] are shown with the text around them, at once", () => {
    expect(shown(["\u001B[31mred ", "abc\u001B[0m", "."])).toEqual(["\u001B[31mred ", "abc\u001B[0m", ".", ""]);
  });

  it("[GW-04] stay before and behind a secret", () => {
    const { text } = createRedaction(() => ["12345678"]);
    expect(text("a \u001B[31m12345678\u001B[0m b")).toBe(`a \u001B[31m${CENSOR}\u001B[0m b`);
  });
});

it("[GW-04] the rest is shown once", () => {
  const stream = createRedaction(() => []).stream();
  stream.push("say h");
  expect([stream.end(), stream.end()]).toEqual(["h", ""]);
});
