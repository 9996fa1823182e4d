import { expect, it } from "vitest";
import { NO_PAINT } from "../text/paint.ts";
import { createEntryLines } from "./entry-lines.ts";

const look = {
  columns: 60,
  paint: { ...NO_PAINT, bad: (text: string) => `!${text}`, good: (text: string) => `+${text}` },
};

it("[CH-01] shows what went wrong as an error, what is done as done, and each of them once", () => {
  const entries = createEntryLines({ frozenLines: false });
  const error = { kind: "notice" as const, text: "acme/one refused the key (401).", level: "error" as const };
  const done = { line: 0, key: "planComplete", args: {} };
  const complete = { kind: "notice" as const, text: 'Plan "Tidy" is complete.', said: [done] };
  expect(entries.lines(error, look)).toEqual(["", "!✗ acme/one refused the key (401)."]);
  expect(entries.lines(complete, look)).toEqual(["", '+✓ Plan "Tidy" is complete.']);
  expect(entries.lines({ kind: "notice", text: "Quiet." }, look)).toEqual(["– Quiet."]);
  expect(entries.lines({ kind: "notice", text: "[plan-mode] exited — plan: Tidy" }, look)).toEqual([]);
});
