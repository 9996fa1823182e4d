import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SHAPES } from "./key-shapes.ts";
import { plainText } from "./plain-text.ts";
import { CENSOR, createRedaction } from "./redaction.ts";

const TOKEN = "hp_Zk3vQ9xT0mLr-5bWq_Yc7NdE2uHj8sAf4gKp6RiXo1B";
const CONFIGURED = "correct horse+battery/staple=";
const ODD = "p@ss word/with+odd=chars\u00FC\u{1F600} ends";
const redaction = createRedaction(() => [
  CONFIGURED,
  "short",
  "Zq8-second-value",
  ODD,
  "also it ends in sk",
  "x-xx-and",
]);

const KEYS = [
  TOKEN,
  CONFIGURED,
  "Zq8-second-value",
  ODD,
  "also it ends in sk",
  "x-xx-and",
  "sk-ant-api03-abcdefghijklmnopqrstuvwx",
  "sk-proj-abc_DEF-ghi0123456789jklmnopqrst",
  `sk-${"a1b2c3d4".repeat(6)}`,
  `sk-or-v1-${"0123456789abcdef".repeat(4)}`,
  "ghp_0123456789abcdefghijABCDEFGHIJ012345",
  "github_pat_11ABCDEFG0123456789_abcdefghij",
  "glpat-abcdefghij0123456789",
  "AKIAABCDEFGHIJKLMNOP",
  "AIzaSyA1234567890abcdefghijklmnopqrstuv",
  "xoxb-123456789012-abcdefGHIJ",
  "npm_abcdefghij0123456789abcdefghij012345",
  "hf_AbCdEfGhIjKlMnOpQrStUvWxYz01234567",
];

const LEFT_ALONE = [
  "hp_printer_configuration_settings_of_the_office",
  "php_ini_scanned_files and hp_ alone, hp_short1A",
  "sk-loading-circle sk-fading-circle2 sk_buff_head_init",
  "task-1234567890123456789012345 risk-abc",
  "The AKIAB prefix, xai-grok, hf_hub_download(repo_id), npm_config_registry",
  "password=hunter22 token: abc secret=short", // names are for the log: a file that is read stays as it is
  "0123456789abcdef0123456789abcdef01234567 pln_mLF__-LsEO5-b7iYYyeQ1Q ses_QXbBBT875Kgs5XMgKDD_Sg",
  "\u001B[31mred\u001B[0m \u001B[ broken",
];

describe("what tools print", () => {
  it.each(KEYS)("[GW-04] has no key in it: %s", (key) => {
    expect(redaction.text(`before ${key} after`)).toBe(`before ${CENSOR} after`);
    expect(redaction.text(`KEY="${key}"\n${key}`)).toBe(`KEY="${CENSOR}"\n${CENSOR}`);
  });

  it.each(LEFT_ALONE)("[GW-04] is otherwise as it was: %s", (text) => {
    expect(redaction.text(text)).toBe(text);
    expect(inPieces(text, 1)).toBe(text);
  });

  it("[GW-04] hides a token that is written onto something, cut short, or coloured in part", () => {
    expect(redaction.text(`x${TOKEN}`)).toBe(`x${CENSOR}`);
    expect(redaction.text(`${TOKEN.slice(0, 30)}…`)).toBe(`${CENSOR}…`);
    expect(redaction.text(`\u001B[01;31m\u001B[Khp_\u001B[m\u001B[K${TOKEN.slice(3)} x`)).toBe(
      `\u001B[01;31m\u001B[K${CENSOR} x`,
    );
    for (const colour of ["\u001B[38:2::255:0:0m", "\u001B[>4m", "\u001B(B", "\u001B[0 q"])
      expect(redaction.text(`hp_Zk${colour}${TOKEN.slice(5)}`)).toBe(CENSOR);
  });

  it("[GW-04] names and texts inside of data are looked at, bytes of a picture are not", () => {
    const given = { [TOKEN]: [{ a: `is ${TOKEN}` }, null, 1], type: "image", bytes: `x ${TOKEN}` };
    expect(redaction.json(given)).toEqual({
      [CENSOR]: [{ a: `is ${CENSOR}` }, null, 1],
      type: "image",
      bytes: `x ${TOKEN}`,
    });
  });
});

function inPieces(text: string, size: number): string {
  const stream = redaction.stream();
  let out = "";
  for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
  return out + stream.end();
}

describe("what tools print, in pieces", () => {
  const piece = fc.oneof(
    fc.constantFrom(...KEYS, ...LEFT_ALONE, ...SHAPES.map(({ prefix }) => prefix)),
    fc.constantFrom(" ", "\n", "-", "_", "hp", "sk-", "correct", "p@ss", "also ", "\u001B[31m", "\u001B", "\u001B[0"),
    fc.string({ maxLength: 12 }),
  );

  it("[GW-04] reads the same however it is cut", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.integer({ min: 1, max: 60 }), (pieces, size) => {
        const text = pieces.join("");
        expect(plainText(inPieces(text, size)).text).toBe(plainText(redaction.text(text)).text);
      }),
    );
  });

  it("[GW-04] is shown at once unless it may be part of a key", () => {
    const stream = redaction.stream();
    expect([stream.push("Password: "), stream.push("....."), stream.push("ok h"), stream.push("ello ")]).toEqual([
      "Password: ",
      ".....",
      "ok ",
      "hello ",
    ]);
    expect([stream.push("hp_Zk3vQ9xT0mLr-5bWq_Yc7N"), stream.push("dE2uHj"), stream.push(" y")]).toEqual([
      "",
      "",
      `${CENSOR} y`,
    ]);
  });
});

it("[GW-04] a key without an end is left out as far as it goes, and what comes behind it is shown", () => {
  const stream = redaction.stream();
  const shown = Array.from({ length: 200 }, () => stream.push("sk-ant-a1".padEnd(50, "xY3")));
  expect(`${shown.join("")}${stream.push(" y")}${stream.end()}`).toBe(`${CENSOR} y`);
});
