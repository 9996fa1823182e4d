import { describe, expect, it } from "vitest";
import { parseNote } from "./parse-note.ts";

describe("a typed note", () => {
  it.each([
    ["plan too long", { kind: "change", anchor: { on: "plan" }, text: "too long" }],
    ["RISKS name one", { kind: "change", anchor: { on: "section", section: "risks" }, text: "name one" }],
    ["step:2 comment: nice", { kind: "comment", anchor: { on: "step", step: 2 }, text: "nice" }],
    ["3 Question: why?\nreally", { kind: "question", anchor: { on: "step", step: 3 }, text: "why?\nreally" }],
    [
      'summary "green paint" question: why green?',
      {
        kind: "question",
        anchor: { on: "section", section: "summary", quote: { exact: "green paint" } },
        text: "why green?",
      },
    ],
    [
      "2 “the team” whom?",
      { kind: "change", anchor: { on: "step", step: 2, quote: { exact: "the team" } }, text: "whom?" },
    ],
    ['1 "quoted" ', undefined],
    ['1 say "hello" to them', { kind: "change", anchor: { on: "step", step: 1 }, text: 'say "hello" to them' }],
  ])("[RV-01, CH-01] %j", (typed, note) => {
    expect(parseNote(typed)).toEqual(note ?? { kind: "change", anchor: { on: "step", step: 1 }, text: '"quoted"' });
  });

  it.each([
    "",
    "plan",
    "nowhere x",
    "0 x",
    "501 x",
    'plan "words" x',
    `2 "${"q".repeat(401)}" x`,
    `2 ${"x".repeat(4_001)}`,
  ])("[CH-02] %j is an error with usage", (typed) => {
    expect(parseNote(typed)).toMatchObject({ refused: { code: "COMMAND_USAGE" } });
  });
});
