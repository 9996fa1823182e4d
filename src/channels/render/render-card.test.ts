import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { approval, step } from "../contract/sample-items.ts";
import { meaningsIn } from "../contract/meanings-in.ts";
import type { Format } from "../port.ts";
import { cardPages, renderCard, textPages } from "./render-card.ts";

const FORMATS: readonly Format[] = ["html", "mrkdwn", "markdown", "plain"];
const LIMIT = { max: 3_500, unit: "utf16" } as const;

const Row = z.object({ id: z.string(), text: z.string() });
const ROWS = [
  ...readFileSync(new URL("../../../test/kit/channels/chat-markup.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => Row.parse(JSON.parse(line)).text),
  "@everyone @here @channel @room @all me@example.com x@everyone",
  "<@U012AB3CD> <!channel> <!here|x> <#C1|general> <users/all> <at id=all></at> <t:0> <:x:1> <@&5>",
  "<b>bold</b> <script>alert(1)</script> <a href='https://evil.example'>ok</a>",
  "**bold** __under__ ~~gone~~ ||spoiler|| `code` ```\nblock\n``` # heading\n# heading\n> quote\n- item\n1. item",
  "\u202Eevil\u202C \u200B\u2060 \u000B \u0000 \uD800 half",
  "/approve plan-1\n/plan accept\n!cmd\nsee /etc/passwd #channel",
  "&lt;!channel&gt; &amp; &#64;everyone",
];

it.each(FORMATS)("[CH-05] foreign text means nothing in %s: on a card, and by itself in pages", (format) => {
  for (const text of ROWS) {
    const card = approval({
      title: text,
      status: { text: `Rejected by ${text}` },
      outcome: { words: text },
      steps: [step(text), step("two", { status: "cancelled", criteria: [{ text, verified: true }] })],
      sections: [{ id: "risks", heading: { text: "Risks" }, text, items: [text], pairs: [{ text, answer: text }] }],
    });
    const bodies = [
      renderCard(card, { format }, LIMIT).body,
      ...cardPages(card, { format }, LIMIT),
      ...textPages(text, { format }, LIMIT),
    ];
    for (const body of bodies) {
      expect(meaningsIn(body.text, format)).toEqual([]);
      expect(body.text.length).toBeLessThanOrEqual(LIMIT.max);
      expect(body.text.isWellFormed()).toBe(true);
      // oxlint-disable-next-line no-control-regex -- a control character closes a stream of XMPP
      expect(body.text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u202A-\u202E]/);
      expect(body.text.trim()).not.toBe("");
    }
  }
});

const STEPS = [
  step("first", { status: "completed", criteria: [{ text: "it works", verified: true }] }),
  step("second", { status: "in_progress", activeForm: "doing the second" }),
  step("third", { status: "cancelled" }),
  step("fourth", { criteria: [{ text: "nobody complains", verified: false }] }),
  step("fifth", { status: "from the future" as never }),
];

it.each([
  [
    "html",
    [
      "✅ 1. first",
      "    ✅ it works",
      "⏳ <b>2. doing the second</b>",
      "❌ <s>3. third</s>",
      "⬚ 4. fourth",
      "    ⬚ nobody complains",
      "⬚ 5. fifth",
    ],
  ],
  [
    "mrkdwn",
    [
      "✅ 1. first",
      "    ✅ it works",
      "⏳ *2. doing the second*",
      "❌ ~3. third~",
      "⬚ 4. fourth",
      "    ⬚ nobody complains",
      "⬚ 5. fifth",
    ],
  ],
  [
    "markdown",
    [
      "\\[x\\] 1. first",
      "    \\[x\\] it works",
      "\\[\\>\\] **2. doing the second**",
      "\\[\\~\\] ~~3. third~~",
      "\\[ \\] 4. fourth",
      "    \\[ \\] nobody complains",
      "\\[ \\] 5. fifth",
    ],
  ],
  [
    "plain",
    [
      "[x] 1. first",
      "    [x] it works",
      "[>] 2. doing the second",
      "[~] 3. third",
      "[ ] 4. fourth",
      "    [ ] nobody complains",
      "[ ] 5. fifth",
    ],
  ],
] as const)("[CH-05] every status has its mark in %s, and criteria stand below their step", (format, lines) => {
  const { text } = renderCard(approval({ steps: STEPS }), { format }, LIMIT).body;
  const all = text.split("\n");
  const from = all.indexOf(lines[0]);
  expect(all.slice(from, from + lines.length)).toEqual(lines);
});

it.each(FORMATS)("[CH-05] a long plan is cut at whole steps in %s, and one oversized step in its place", (format) => {
  const many = Array.from({ length: 60 }, (_, n) => step(`step ${n} <${"y".repeat(90)}>`));
  const { body, cut } = renderCard(approval({ steps: many }), { format }, LIMIT);
  const shown = body.text.match(/step \d+ /g) ?? [];
  expect([cut, body.text.length <= LIMIT.max, shown.length > 10]).toEqual([true, true, true]);
  expect(body.text).toContain(`${60 - shown.length} more steps`);
  expect(body.text).toContain("/plan approve 1a2b3c"); // what to do about it stays
  const one = renderCard(approval({ steps: [step("z".repeat(4_000)), step("short")] }), { format }, LIMIT);
  expect(one.cut).toBe(true);
  expect(one.body.text).toMatch(/z{500,}…/);
  expect(one.body.text).toContain("2. short");
  const pages = cardPages(approval({ steps: many }), { format }, LIMIT)
    .map(({ text }) => text)
    .join("\n");
  expect(pages.match(/step \d+ /g)).toHaveLength(60);
});

it("[CH-05, CH-12] a small message keeps head and foot, and codes stand for buttons where people are not sure", () => {
  const codes = new Map([
    ["approve", "K7QMX"],
    ["answer:2", "B3TSQ"],
  ]);
  const { body } = renderCard(
    approval(),
    { format: "plain", codes, link: "https://gateway.example/sessions/1/plan" },
    LIMIT,
  );
  expect(body.text).toContain("K7QMX — Accept");
  expect(body.text).not.toMatch(/^\/plan/m); // no command of theirs would count
  const [yes] = approval().actions;
  if (yes === undefined) throw new Error("an action");
  const options = [
    { id: "1", label: "Now" },
    { id: "2", label: "Later" },
  ];
  const actions = [
    { ...yes, input: { kind: "text" as const, field: "feedback", charsMin: 1, charsMax: 9, label: { text: "Why" } } },
    { ...yes, id: "answer", input: { kind: "option" as const, field: "answer", options } },
  ];
  const asking = renderCard(approval({ actions }), { format: "plain", codes }, LIMIT).body.text;
  expect([asking.includes("K7QMX … — Accept"), asking.includes("B3TSQ — Later"), asking.includes("/plan ")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(body.text).toContain("https://gateway.example/sessions/1/plan");
  const small = renderCard(
    approval({ steps: Array.from({ length: 20 }, () => step("w".repeat(50))) }),
    { format: "plain" },
    { max: 400, unit: "bytes" },
  );
  expect(Buffer.byteLength(small.body.text)).toBeLessThanOrEqual(400);
  expect(small.body.text).toContain("A plan waits for you");
});

it.each(FORMATS)(
  "[CH-05] what a page goes on with begins nothing in %s, and a line keeps what it is set in by",
  (format) => {
    const card = approval({ steps: [step(`${"w".repeat(3_390)} ${"> - 1. # /x ".repeat(40)}`)] });
    const pages = cardPages(card, { format }, LIMIT).map(({ text }) => text);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) {
      expect(page.length).toBeLessThanOrEqual(LIMIT.max);
      expect(page).not.toMatch(/^\s*(?:>|&gt;|-|\d+\.|#|\/) ?[->1#/]/);
    }
    const listed = `${"z".repeat(3_400)}:\n${"    - deep ".padEnd(450, "y")}\n    - deeper`;
    const parts = textPages(listed, { format }, LIMIT).map(({ text }) => text.replace(/[\u2060\\]/g, ""));
    expect(parts.some((text) => text.startsWith("    - deep"))).toBe(true);
  },
);
