import { describe, expect, it } from "vitest";
import { ApprovalId, QuestionId } from "../../../protocol/ids.ts";
import type { PendingQuestion, QuestionOption } from "../../protocol/state.ts";
import { matchAnswer, questionIdFor, readOptions } from "./questions.ts";

const options = (asked: Parameters<typeof readOptions>[0], callId = "call_1"): QuestionOption[] => {
  const read = readOptions(asked, callId);
  if ("refused" in read) throw new Error(read.refused.message);
  return read.options;
};

const question = (asked: Parameters<typeof readOptions>[0], allowFreetext = false): PendingQuestion => ({
  questionId: QuestionId.parse("qst_1"),
  approvalId: ApprovalId.parse("apr_1"),
  question: "Which?",
  options: options(asked),
  allowFreetext,
  askedAtMs: 0,
  deadlineAtMs: 1,
});

describe("options", () => {
  it("[TO-06] keeps given ids and derives the others from the tool call, the same bytes each time", () => {
    const asked = ["One PR", { id: "two", label: " Two PRs ", description: "safer" }];
    expect(options(asked)).toEqual([
      { id: expect.stringMatching(/^o1-[0-9a-f]{8}$/), label: "One PR" },
      { id: "two", label: "Two PRs", description: "safer" },
    ]);
    expect(options(asked)).toEqual(options(asked));
    expect(options(asked, "call_2")[0]?.id).not.toBe(options(asked, "call_1")[0]?.id);
    const ask = { callId: "call_1", question: "Which?" };
    expect(questionIdFor(ask, "ses_a")).toBe(questionIdFor(ask, "ses_a"));
    expect(questionIdFor(ask, "ses_a")).not.toBe(questionIdFor(ask, "ses_b"));
    expect(questionIdFor({ ...ask, question: "What?" }, "ses_a")).not.toBe(questionIdFor(ask, "ses_a"));
  });

  it.each([
    ["one option", ["A"]],
    ["seven options", ["A", "B", "C", "D", "E", "F", "G"]],
    ["a blank label", ["A", " \u2060 "]],
    ["a duplicate label", ["Yes", "yes "]],
    ["a duplicate label in full width", ["Yes", "Ｙｅｓ"]],
    [
      "a duplicate id",
      [
        { id: "x", label: "A" },
        { id: "x", label: "B" },
      ],
    ],
    ["an id that is another's label", [{ id: "b", label: "A" }, "B"]],
    ["an id that is another's number", [{ id: "2", label: "A" }, "B"]],
    ["a blank id", [{ id: " ", label: "A" }, "B"]],
    ["a label too long", ["A".repeat(401), "B"]],
  ])("[TO-06] refuses %s", (_what, asked) => {
    expect(readOptions(asked, "c")).toMatchObject({ refused: { code: "PLAN_INVALID" } });
  });
});

describe("answers", () => {
  const colours = question([{ id: "b", label: "Dark blue" }, "Red"]);

  it.each(["b", "1", "Dark blue", " dark  BLUE "])(
    "[QU-02] %j means the first option, by id, number or text",
    (answer) => {
      expect(matchAnswer(colours, answer)).toEqual({ answer: "Dark blue", optionId: "b" });
    },
  );

  it.each(["", "  ", "\u200b", "3", "0", "Green", "yes"])("[QU-02] %j is none of the options", (answer) => {
    expect(matchAnswer(colours, answer)).toMatchObject({ refused: { code: "ANSWER_INVALID" } });
  });

  it("[QU-02] free text counts only where it is allowed, and never empty", () => {
    const free = question(["A", "B"], true);
    expect(matchAnswer(free, " neither, wait ")).toEqual({ answer: "neither, wait", optionId: null });
    expect(matchAnswer(free, "  ")).toMatchObject({ refused: { code: "ANSWER_INVALID" } });
  });

  it("[QU-02] an answer that could mean two options means none", () => {
    const numbers = question(["2", "4"]);
    expect(matchAnswer(numbers, "2")).toMatchObject({ refused: { code: "ANSWER_INVALID" } });
    expect(matchAnswer(numbers, "4")).toMatchObject({ answer: "4" });
    expect(matchAnswer(numbers, "1")).toMatchObject({ answer: "2" });
  });
});
