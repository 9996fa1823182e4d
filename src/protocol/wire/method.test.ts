import { expect, it } from "vitest";
import { z } from "zod";
import { method } from "./method.ts";

it("makes the shapes of a method when they are first asked for, and once", () => {
  let made = 0;
  const row = method("operator.read", "Says it again.", () => {
    made += 1;
    return { params: z.strictObject({ text: z.string() }), result: z.string() };
  });
  expect({ scope: row.scope, summary: row.summary, made }).toEqual({
    scope: "operator.read",
    summary: "Says it again.",
    made: 0,
  });
  expect(row.params.parse({ text: "a" })).toEqual({ text: "a" });
  expect(row.params).toBe(row.params);
  expect(row.result.parse("a")).toBe("a");
  expect(made).toBe(1);
});
