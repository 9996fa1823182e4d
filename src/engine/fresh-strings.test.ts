import { expect, it } from "vitest";
import { createFreshStrings } from "./fresh-strings.ts";

it("[PL-05] makes strings of 128 random bits, none twice, beyond one filling of its pool", () => {
  const fresh = createFreshStrings();
  const strings = Array.from({ length: 2_000 }, fresh);
  expect(new Set(strings).size).toBe(2_000);
  expect(strings.filter((text) => !/^[A-Za-z0-9_-]{22}$/.test(text))).toEqual([]);
});
