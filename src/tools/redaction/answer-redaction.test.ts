/** What is left out of what agents write: the gateway's own tokens and keys, and nothing that only looks like them (GW-04). */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnswerRedaction } from "./answer-redaction.ts";
import { CENSOR } from "./censor.ts";

const TOKEN = "hp_Zk3vQ9xT0mLr-5bWq_Yc7NdE2uHjP8sAaFgRt4VoKi1";
const KEY = "sk-local-4f9a2b7c8d1e0f3a";
const redaction = createAnswerRedaction(() => [KEY, "changeme", "not-needed-for-this-one", "lm-studio-local-models"]);

const LEFT_ALONE = [
  `https://example.org/share/a1${TOKEN}`,
  `${TOKEN}a-longer-name-than-a-token-has`,
  "hp_regenRate_level2_MaxBonusPerSecond",
  `const hp_${"a".repeat(43)} = 1;`,
  "changeme lm-studio-local-models not-needed-for-this-one",
  "sk-ant-a1B2c3D4e5F6g7H8i9J0k1L2 in a fixture",
  "-----BEGIN PRIVATE KEY-----",
];

describe("what agents write", () => {
  it("[GW-04] is recorded without whole tokens and without keys that are configured", () => {
    expect(redaction.text(`use ${TOKEN}, "${TOKEN}" and x${KEY}x`)).toBe(`use ${CENSOR}, "${CENSOR}" and x${CENSOR}x`);
    expect(redaction.json({ [TOKEN]: [`is ${KEY}`, 1, null] })).toEqual({ [CENSOR]: [`is ${CENSOR}`, 1, null] });
  });

  it.each(LEFT_ALONE)("[GW-04] stays as it is where it only looks like one: %s", (text) => {
    expect(redaction.text(text)).toBe(text);
  });

  it("[GW-04] reads the same however it streams", () => {
    const piece = fc.constantFrom(TOKEN, KEY, ...LEFT_ALONE, " ", "h", "hp", "hp_", "sk-", "x", "-");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 1, max: 60 }), (pieces, size) => {
        const text = pieces.join("");
        const stream = redaction.stream();
        let out = "";
        for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
        expect(out + stream.end()).toBe(redaction.text(text));
      }),
      {
        examples: [
          [[TOKEN, KEY], 1],
          [[KEY, TOKEN], 1],
          [[TOKEN, "sk-", "x"], 1],
        ],
      },
    );
  });

  it("[GW-04] is shown at once unless it may be part of a secret", () => {
    const stream = redaction.stream();
    expect([stream.push("with h"), stream.push("im "), stream.push("hp_Zk3"), stream.push(" x")]).toEqual([
      "with ",
      "him ",
      "",
      "hp_Zk3 x",
    ]);
  });
});
