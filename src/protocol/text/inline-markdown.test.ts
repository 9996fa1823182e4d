import { expect, it } from "vitest";
import { headLine, inlineSpans, plainLine } from "./inline-markdown.ts";

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

it("[UI-14] an address that stands alone can be opened, without the sign that ends its sentence", () => {
  const address = "https://x.test/a/b_c?d=1&e=f#g";
  const link = { kind: "link", href: address, spans: [text(address)] };
  expect(inlineSpans(`See ${address}.`)).toEqual([text("See "), link, text(".")]);
  expect(inlineSpans(`(${address}), \`${address}\``)).toEqual([
    text("("),
    link,
    text("), "),
    { kind: "code", text: address },
  ]);
  expect(inlineSpans("file:///etc/passwd xhttps://x.test")).toEqual([text("file:///etc/passwd xhttps://x.test")]);
});

it.each([
  ["Write `a.ts`\n\n```ts\nconst a = 1;\n```", "Write a.ts"],
  ["```sh\nnpm test\n```", "npm test"],
  ["| Table | How |\n| --- | --- |\n| a | b |", "Table · How"],
  ["\n## Rehearse **first**\n- one", "Rehearse first"],
  ["1. Drain the node\n   - wait", "Drain the node"],
  ["---", "---"],
])("[UI-14] %j is named by its first words", (written, line) => expect(headLine(written)).toBe(line));
