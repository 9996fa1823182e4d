import { expect, it } from "vitest";
import { z } from "zod";
import { lazySchema } from "./lazy-schema.ts";

it("a lazy schema is built at its first use, once for all its copies, and parses like the schema itself", () => {
  let built = 0;
  const Shape = lazySchema(() => ((built += 1), z.strictObject({ kind: z.literal("a"), n: z.int() })));
  const either = z.discriminatedUnion("kind", [Shape, z.strictObject({ kind: z.literal("b") })]);
  const place = z.strictObject({ one: Shape.describe("first").optional(), two: Shape.describe("second").optional() });
  expect(built).toBe(0);
  expect(either.parse({ kind: "a", n: 1 })).toEqual({ kind: "a", n: 1 });
  expect(place.parse({ one: { kind: "a", n: 1 }, two: { kind: "a", n: 2 } })).toMatchObject({ two: { n: 2 } });
  expect(either.safeParse({ kind: "a", n: "1" }).error?.issues).toMatchObject([{ path: ["n"] }]);
  expect(built).toBe(1);
});
