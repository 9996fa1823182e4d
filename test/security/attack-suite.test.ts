import { expect, it } from "vitest";
import { besiege } from "../attack/besiege.ts";

it("[GA-13, GW-04] the suite that attacks a live gateway reports what gives way where commands run without a sandbox", async () => {
  const { broke, tried } = await besiege({ flavour: "none", seconds: 0, seed: 7, hole: true });
  expect(broke.filter((what) => /was changed|is new|trace-/.test(what))).not.toEqual([]); // which of them is a race
  expect(Object.keys(tried).some((name) => name.startsWith("held: "))).toBe(true);
});
