/** What programs hand to tools and get from them is read once, however deep and wide they make it (GW-04, GW-05, CM-06). */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Json } from "../../protocol/json.ts";
import { createAnswerRedaction } from "./answer-redaction.ts";
import { CENSOR } from "./censor.ts";
import { createRedaction } from "./redaction.ts";

const KEY = "sk-local-4f9a2b7c8d1e0f3a";
/** As deep as a cell may nest. */
const DEPTH = 190;
const NAMES = 20_000;

const nested = (inner: Json, depth: number): Json => (depth === 0 ? inner : { inner: nested(inner, depth - 1) });

describe.each([
  ["what agents write", createAnswerRedaction(() => [KEY])],
  ["what tools print", createRedaction(() => [KEY])],
])("%s", (_what, redaction) => {
  it("[GW-04, GW-05, CM-06] does not stand the gateway still by its depth and width", () => {
    const wide = Object.fromEntries(Array.from({ length: NAMES }, (_none, n) => [`n${n}`, n === 9 ? KEY : n]));
    expect(redaction.json(nested(wide, DEPTH))).toEqual(nested({ ...wide, n9: CENSOR }, DEPTH));
  });

  it("[GW-04, GW-05, CM-06] has each of its levels read once, and not once more for every level above", () => {
    const reads = [vi.spyOn(Object, "entries"), vi.spyOn(Reflect, "ownKeys")];
    onTestFinished(() => reads.forEach((spy) => spy.mockRestore()));
    redaction.json(nested(KEY, DEPTH));
    expect(reads.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThanOrEqual(2 * DEPTH);
  });

  it("[GW-04, GW-05, CM-06] holds no member that would become a prototype where it is copied", () => {
    const given: Json = JSON.parse('{"a":{"__proto__":{"b":1},"c":2}}');
    expect(JSON.stringify(redaction.json(given))).toBe('{"a":{"c":2}}');
  });
});
