import { expect, it } from "vitest";
import { textBytes } from "./text-bytes.ts";

const PIECES = ['{"title":', '"größer, 大きい, 🚜"', ",", "", '"\u2028":1}'];

it("[SC-01] are the bytes of the pieces put together, in room of any size", () => {
  const expected = Buffer.from(PIECES.join(""));
  expect(textBytes(PIECES)).toEqual(expected);
  const asked: number[] = [];
  const roomy = textBytes(PIECES, (bytes) => {
    asked.push(bytes);
    return Buffer.alloc(bytes + 100, "x");
  });
  expect([roomy, asked]).toEqual([expected, [expected.length]]);
  expect(textBytes([])).toEqual(Buffer.alloc(0));
});
