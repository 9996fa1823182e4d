import * as fc from "fast-check";
import { expect, it } from "vitest";
import { rfc3339 } from "./rfc3339.ts";

it("[GA-07] writes moments as the calendar has them", () => {
  expect(rfc3339(0)).toBe("1970-01-01T00:00:00Z");
  expect(rfc3339(951_782_400_000)).toBe("2000-02-29T00:00:00Z");
  fc.assert(
    fc.property(fc.integer({ min: -2_208_988_800_000, max: 253_402_300_799_000 }), (atMs) => {
      expect(rfc3339(atMs)).toBe(new Date(Math.floor(atMs / 1_000) * 1_000).toISOString().replace(".000Z", "Z"));
    }),
  );
});
