import { describe, expect, it } from "vitest";
import { countLooks } from "../../../test/kit/count-looks.ts";
import { defuse } from "./defuse.ts";

describe("text inside an envelope", () => {
  const looks = (text: string): number => countLooks(() => void defuse(text));

  it.each([
    "[",
    "[ ",
    "[p",
    "[plan_",
    "[SYSTEM]",
    "</ ",
    "<|",
    "\\[",
    "&#91;",
    "[\u200b",
    "ﷺ[",
    "\u{E0041}[",
    "\ud83d[",
  ])("[IN-04, GW-05] costs as much as it is long, and no more for a long run of %j", (unit) => {
    const sized = (chars: number): string => unit.repeat(chars / unit.length);
    const [small, large] = [looks(sized(8_192)), looks(sized(65_536))];
    expect(large / small).toBeLessThan(9);
    expect(large / 65_536).toBeLessThan(300); // comparisons for a character, whatever it is
  });
});
