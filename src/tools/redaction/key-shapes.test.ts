/** Which texts count as keys: by prefix, length and the look of chance, to the last character (GW-04). */
import { describe, expect, it } from "vitest";
import { candidatesIn, SHAPES, unfinishedPrefix } from "./key-shapes.ts";
import { CENSOR, createRedaction, redactKeys } from "./redaction.ts";

const RANDOM = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6";
const lower = (chars: number): string => "abcdefghij".repeat(9).slice(0, chars);

describe("keys of vendors", () => {
  it.each([
    ["sk-ant-", 20],
    ["sk-proj-", 20],
    ["sk-svcacct-", 20],
    ["sk-admin-", 20],
    ["sk-or-v1-", 20],
    ["sk_live_", 16],
    ["sk_test_", 16],
    ["rk_live_", 16],
    ["rk_test_", 16],
    ["ghp_", 20],
    ["gho_", 20],
    ["ghu_", 20],
    ["ghs_", 20],
    ["ghr_", 20],
    ["github_pat_", 20],
    ["glpat-", 20],
    ["xoxa-", 10],
    ["xoxb-", 10],
    ["xoxe-", 10],
    ["xoxp-", 10],
    ["xoxr-", 10],
    ["xoxs-", 10],
    ["AIza", 30],
    ["npm_", 36],
    ["hf_", 30],
    ["gsk_", 40],
    ["xai-", 40],
    ["pplx-", 40],
    ["nvapi-", 40],
    ["r8_", 36],
    ["tvly-", 20],
    ["dop_v1_", 40],
  ])("[GW-04] %s and %i characters of chance, not fewer, not in a word, and not a name", (prefix, chars) => {
    const key = `${prefix}${RANDOM.slice(0, chars)}`;
    expect(redactKeys(`a ${key} b`)).toBe(`a ${CENSOR} b`);
    expect(redactKeys(`a ${key.slice(0, -1)} b`)).toBe(`a ${key.slice(0, -1)} b`);
    expect(redactKeys(`word${key}`)).toBe(`word${key}`);
    expect(redactKeys(`${prefix}${lower(chars)}`)).toBe(`${prefix}${lower(chars)}`);
    expect(redactKeys(`${prefix}${lower(chars - 1)}X`)).toBe(CENSOR);
    expect(redactKeys(`${prefix}${lower(chars - 1)}7`)).toBe(CENSOR);
    expect(redactKeys(`${prefix}${"X".repeat(chars)}`)).toBe(`${prefix}${"X".repeat(chars)}`);
  });

  it("[GW-04] of Amazon have sixteen capitals or digits", () => {
    for (const prefix of ["AKIA", "ASIA"]) {
      expect(redactKeys(`${prefix}ABCDEFGHIJKLMNOP`)).toBe(CENSOR);
      expect(redactKeys(`${prefix}ABCDEFGHIJKLMNO`)).toBe(`${prefix}ABCDEFGHIJKLMNO`);
      expect(redactKeys(`x${prefix}ABCDEFGHIJKLMNOP`)).toBe(`x${prefix}ABCDEFGHIJKLMNOP`);
      expect(redactKeys(`${prefix}abcdefghijklmnop`)).toBe(`${prefix}abcdefghijklmnop`);
    }
  });

  it("[GW-04] that begin like many have one long piece with letters and digits in it", () => {
    expect(redactKeys("sk-abcdefghijklmno1-xyz")).toBe(CENSOR);
    expect(redactKeys("sk-xyz_ABCDEFGHIJKLMNO1")).toBe(CENSOR);
    expect(redactKeys("sk-abcdefghijklmn1-xyzabc")).toBe("sk-abcdefghijklmn1-xyzabc"); // the piece is too short
    expect(redactKeys("sk-abcdefghijklmnop-xyzabc")).toBe("sk-abcdefghijklmnop-xyzabc"); // no digit
    expect(redactKeys("sk-1234567890123456-789012")).toBe("sk-1234567890123456-789012"); // no letter
    expect(redactKeys("sk-abcdefghijklmno1-xy")).toBe("sk-abcdefghijklmno1-xy"); // too short
    expect(redactKeys("task-abcdefghijklmno1-xyz")).toBe("task-abcdefghijklmno1-xyz");
  });

  it("[GW-04] end where their letters end, however long they are", () => {
    expect(redactKeys(`ghp_${RANDOM.slice(0, 24)}-tail`)).toBe(`${CENSOR}-tail`);
    expect(redactKeys(`github_pat_${RANDOM.slice(0, 24)}_x-tail`)).toBe(`${CENSOR}-tail`);
    expect(redactKeys(`glpat-${RANDOM.slice(0, 24)}-x_y.tail`)).toBe(`${CENSOR}.tail`);
    expect(redactKeys(`sk-ant-${RANDOM.repeat(20)} z`)).toBe(`${CENSOR} z`);
    expect(redactKeys(`sk-ant-${RANDOM}sk-ant-${RANDOM}`)).toBe(CENSOR);
  });
});

describe("tokens of this gateway", () => {
  it("[GW-04] count whole, in part, and with something written in front", () => {
    expect(redactKeys(`hp_${lower(42)}7`)).toBe(CENSOR); // 43 characters alone: a digit is enough
    expect(redactKeys(`hp_${lower(43)}`)).toBe(`hp_${lower(43)}`);
    expect(redactKeys(`hp_${RANDOM.slice(0, 20)}`)).toBe(CENSOR);
    expect(redactKeys(`hp_${RANDOM.slice(0, 19)}`)).toBe(`hp_${RANDOM.slice(0, 19)}`);
    expect(redactKeys(`hp_${lower(19)}7`)).toBe(`hp_${lower(19)}7`); // too short to count without capitals
    expect(redactKeys(`hp_${lower(19)}X`)).toBe(`hp_${lower(19)}X`);
    expect(redactKeys(`xhp_${RANDOM.slice(0, 40)}`)).toBe(`x${CENSOR}`);
    expect(redactKeys(`xhp_${RANDOM.slice(0, 39)}`)).toBe(`xhp_${RANDOM.slice(0, 39)}`);
    expect(redactKeys(`xhp_${lower(42)}7`)).toBe(`xhp_${lower(42)}7`);
  });
});

it("[GW-04] what stands in front of a text decides whether a key at its beginning stands alone", () => {
  const key = `ghp_${RANDOM.slice(0, 24)}`;
  const accepted = (before: string) => [...candidatesIn(key, before)][0]?.isAccepted;
  expect([accepted(""), accepted(" "), accepted("x"), accepted("9")]).toEqual([true, true, false, false]);
});

it("[GW-04] a text that ends within a prefix waits for the rest of it", () => {
  const from = (text: string) => unfinishedPrefix(text);
  expect([from("say h"), from("say hp"), from("say hp_"), from("say sk-an"), from("github_pa")]).toEqual([
    4, 4, 7, 4, 0,
  ]);
  expect([from(""), from("x"), from("y.z")]).toEqual([0, 0, 3]); // x begins xai- and xoxb-
  expect(SHAPES.every(({ prefix }) => from(prefix.slice(0, -1)) === 0)).toBe(true);
});

describe("configured values", () => {
  const redaction = createRedaction(() => ["12345678", "1234567", "overlap-one", "one-more-value"]);

  it("[GW-04] count from eight characters on, each time, and two that overlap are one gap", () => {
    expect(redaction.text("12345678 1234567 x12345678x")).toBe(`${CENSOR} 1234567 x${CENSOR}x`);
    expect(redaction.text("overlap-one-more-value!")).toBe(`${CENSOR}!`);
    expect(redaction.text("1234567812345678")).toBe(`${CENSOR}${CENSOR}`);
  });

  it("[GW-04] are left out of every text and name in a result, and pictures stay", () => {
    const bytes = "12345678";
    expect(redaction.json({ a: ["12345678", 1, null, true], "12345678": "x", n: { deep: "12345678" } })).toEqual({
      a: [CENSOR, 1, null, true],
      [CENSOR]: "x",
      n: { deep: CENSOR },
    });
    expect(redaction.json({ type: "image", bytes, note: bytes })).toEqual({ type: "image", bytes, note: CENSOR });
    expect(redaction.json({ type: "text", bytes })).toEqual({ type: "text", bytes: CENSOR });
    expect([redaction.json("12345678"), redaction.json(5), redaction.json(null)]).toEqual([CENSOR, 5, null]);
  });

  it("[GW-04] are known by what is configured now", () => {
    const values = ["first-value"];
    const live = createRedaction(() => values);
    expect(live.text("first-value second-value")).toBe(`${CENSOR} second-value`);
    values.push("second-value");
    expect(live.text("first-value second-value")).toBe(`${CENSOR} ${CENSOR}`);
  });
});
