import { expect, it } from "vitest";
import { inlineSpans, plainLine } from "./inline-markdown.ts";

const text = (found: string) => ({ kind: "text", text: found });

it("[UI-14] reads code, emphasis, strike-through and links inside of one line", () => {
  expect(
    inlineSpans("Add `intent_id` in a **separate `sql`** _migration_, ~~at once~~ ([docs](https://x.test/a))"),
  ).toEqual([
    text("Add "),
    { kind: "code", text: "intent_id" },
    text(" in a "),
    { kind: "strong", spans: [text("separate "), { kind: "code", text: "sql" }] },
    text(" "),
    { kind: "em", spans: [text("migration")] },
    text(", "),
    { kind: "del", spans: [text("at once")] },
    text(" ("),
    { kind: "link", href: "https://x.test/a", spans: [text("docs")] },
    text(")"),
  ]);
  expect(inlineSpans("``a ` b`` and \\*no\\*")).toEqual([{ kind: "code", text: "a ` b" }, text(" and *no*")]);
});

it.each([
  "snake_case_name and __init__.py",
  "2 * 3 * 4 = 24",
  "a ** b ** c",
  "[x](javascript:alert(1))",
  "![pixel](data:text/html,x)",
  "<img src=x onerror=alert(1)>",
  "`unclosed **too",
  "",
])("[UI-14] [UI-08] leaves alone what is none, or may not be opened: %s", (line) => {
  expect(plainLine(line)).toBe(line);
  expect(inlineSpans(line).every(({ kind }) => kind === "text")).toBe(true);
});

it("[UI-14] comes to an end with a hostile line", () => {
  const line = `${"*_`~[".repeat(1_500)}x`;
  expect(plainLine(line).length).toBeGreaterThan(0);
});
