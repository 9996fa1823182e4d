import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../protocol/json.ts";
import { cutFields } from "./cut-fields.ts";

const chars = (value: Json): number => JSON.stringify(value).length;

describe("a result that is too large for a program", () => {
  it("[CM-03, CM-04] 87, 117: keeps its fields; its long text is cut, with a word on how much is missing", () => {
    const cut = cutFields({ content: [{ type: "text", text: "b".repeat(9_000) }], isError: true }, 1_000);
    expect(cut).toEqual({
      content: [{ type: "text", text: expect.stringMatching(/^b{400,}\n\[cut: 9000 characters in all;/) }],
      isError: true,
    });
    expect(chars(cut ?? null)).toBeLessThanOrEqual(1_000);
    expect(cutFields(Object.fromEntries(Array.from({ length: 900 }, (_, n) => [n, n])), 1_000)).toBeUndefined();
  });

  it("[CM-03] 87: keeps what was parsed of a text whole where that fits, and cuts the text", () => {
    const rows = Array.from({ length: 40 }, (_, row) => ({ row }));
    const answer = { content: [{ type: "text", text: JSON.stringify(rows).repeat(9) }], structuredContent: rows };
    expect(cutFields(answer, 1_500)).toMatchObject({ structuredContent: rows, content: [{ type: "text" }] });
  });

  it("[CM-04] 117: keeps the beginning of a list", () => {
    const list = Array.from({ length: 500 }, (_, row) => ({ row }));
    const cut = cutFields({ list }, 1_000);
    expect(cut).toMatchObject({ list: expect.arrayContaining([{ row: 0 }, { row: 1 }]) });
    expect(JSON.stringify(cut)).toMatch(/\[cut: 4\d\d more items; ask for a smaller part\]"\]}$/);
  });

  it("[CM-04] 117, 125: whatever it holds, it fits, and what fits is left alone", () => {
    const any = fc.jsonValue({ maxDepth: 12 });
    fc.assert(
      fc.property(any, fc.integer({ min: 400, max: 2_000 }), (value, max) => {
        const given: Json = JSON.parse(JSON.stringify(value)) as Json;
        const large: Json = { small: 1, large: [given, "\u0001".repeat(3_000), [given, given]], other: given };
        const cut = cutFields(large, max);
        expect(cut === undefined || chars(cut) <= max).toBe(true);
        expect(chars(given) > max || cutFields(given, max) === given).toBe(true);
      }),
    );
  });
});
