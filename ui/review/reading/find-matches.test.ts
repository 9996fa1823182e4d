import { expect, it } from "vitest";
import { folded } from "./find-matches.ts";

it.each([
  ["Löschkonzept", "loschkonzept"],
  ["ÉTAPE", "etape"],
  ["İstanbul", "istanbul"],
  ["👩🏽‍🚒 Straße", "👩🏽‍🚒 straße"],
  ["手順", "手順"],
])("[UI-15] %s is found by whoever types %s, and every letter keeps its place", (text, plain) => {
  expect(folded(text)).toBe(plain);
  expect(folded(text)).toHaveLength(text.length);
});
