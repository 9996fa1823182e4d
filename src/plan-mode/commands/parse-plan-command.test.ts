import { describe, expect, it } from "vitest";
import { parsePlanCommand, PLAN_USAGE } from "./parse-plan-command.ts";

describe("what people type", () => {
  it.each([
    ["", { verb: "status" }],
    ["status", { verb: "status" }],
    ["/plan status", { verb: "status" }],
    ["/plan@holdpoint_bot  VIEW ", { verb: "view" }],
    ["view 12", { verb: "view", step: 12 }],
    ["on", { verb: "on" }],
    ["off", { verb: "off" }],
    ["restate", { verb: "restate" }],
    ["diff", { verb: "diff" }],
    ["diff 1", { verb: "diff", from: 1 }],
    ["diff 1 3", { verb: "diff", from: 1, to: 3 }],
    ["notes", { verb: "notes" }],
    ["decline", { verb: "decline", reason: "" }],
    ["defer until Monday", { verb: "defer", reason: "until Monday" }],
    ["resolve 3", { verb: "settle", n: 3 }],
    ["resolve N3", { verb: "settle", n: 3 }],
    ["reopen n3", { verb: "reopen", n: 3 }],
    ["reply 3 not yet:\n  see step 2", { verb: "reply", n: 3, text: "not yet:\n  see step 2" }],
    ["reply n12 yes", { verb: "reply", n: 12, text: "yes" }],
    [
      "note 2 use the other file",
      { verb: "note", note: { kind: "change", anchor: { on: "step", step: 2 }, text: "use the other file" } },
    ],
    ["auto on", { verb: "auto", enabled: true }],
    ["auto OFF", { verb: "auto", enabled: false }],
    ["accept", { verb: "accept", edits: false }],
    ["accept edits", { verb: "accept", edits: true }],
    ["accept 1-3", { verb: "accept", edits: false, steps: [1, 2, 3] }],
    ["accept 1-2, 5 edits abc123", { verb: "accept", edits: true, steps: [1, 2, 5], code: "abc123" }],
    ["skip 4", { verb: "skip", steps: [4] }],
    ["hold 4-5", { verb: "hold", steps: [4, 5] }],
    ["confirm 2.1", { verb: "confirm", step: 2, criterion: "1", reason: "" }],
    ["waive 2 no network here", { verb: "waive", step: 2, reason: "no network here" }],
    ["accept standing", { verb: "accept", edits: false, standing: { runs: 10, days: 30 } }],
    ["accept edits standing 5", { verb: "accept", edits: true, standing: { runs: 5, days: 30 } }],
    ["accept standing 5 7d", { verb: "accept", edits: false, standing: { runs: 5, days: 7 } }],
    ["revise make it smaller\nand safer", { verb: "revise", feedback: "make it smaller\nand safer" }],
    ["answer 2", { verb: "answer", choice: "2" }],
    ["answer the second one", { verb: "answer", choice: "the second one" }],
    ["[plan-mode] approve plan_id=pln_a1", { verb: "resolve", planId: "pln_a1", decision: "approve" }],
    [
      "[plan-mode] reject plan_id=pln_a1 reason=too big, split it",
      { verb: "resolve", planId: "pln_a1", decision: "reject", reason: "too big, split it" },
    ],
  ])("[CH-01] understands %j", (text, command) => {
    expect(parsePlanCommand(text)).toEqual(command);
  });

  it.each([
    "status now",
    "view all",
    "view 0",
    "view 1 2",
    "view 1000",
    "on please",
    "off now",
    "diff 1 2 3",
    "diff 0",
    "notes 1",
    `decline ${"x".repeat(1_001)}`,
    "note",
    "note 2",
    "note somewhere else",
    "note 2 \u200b",
    "resolve",
    "resolve all",
    "resolve 1 2",
    "resolve 0",
    "reopen",
    "reopen 1 2",
    "reopen plan",
    "reply",
    "reply 3",
    "reply 0 yes",
    "reply all yes",
    "reply 3 \u200b",
    `reply 3 ${"x".repeat(4_001)}`,
    "restate it",
    "accept everything",
    "accept standing for ever",
    "accept standing 0",
    "accept standing 999",
    "accept standing 5 400",
    "accept standing edits",
    "accept 5-",
    "accept 1-3 2x",
    "accept standing 1-3",
    "skip",
    "skip all",
    "confirm",
    "waive 2",
    "accept edits please",
    "accept, but wait",
    "auto",
    "auto maybe",
    "auto on now",
    "revise",
    "revise \u200b ",
    "answer",
    "yes",
    "approved",
    "approve",
    "acceptt",
    "accept1",
    `revise ${"x".repeat(8_193)}`,
    "[plan-mode]",
    "[plan-mode] approved plan_id=pln_a1",
    "[plan-mode] approve plan_id=pln_a1 and more",
    "[plan-mode] reject plan_id=pln_a1",
    "[plan-mode] reject plan_id=pln_a1 too big",
    "[plan-mode] reject plan_id=pln_a1 reason= ",
    "[plan-mode] approve plan_id=../etc",
    "[plan-mode] approve plan_id=apr_1",
  ])("[CH-02] %j is an error with usage, never another action", (text) => {
    expect(parsePlanCommand(text)).toMatchObject({ refused: { code: "COMMAND_USAGE" } });
  });

  it.each(["[plan-mode] approve", "[plan-mode] approve pln_a1", "[plan-mode] reject plan_id= reason=x"])(
    "[PL-10] %j names no plan",
    (text) => {
      expect(parsePlanCommand(text)).toMatchObject({ refused: { code: "APPROVAL_ID_REQUIRED" } });
    },
  );

  it("[CH-01, QA-03] lists the self-test, which takes no words", () => {
    expect(parsePlanCommand("self-test")).toEqual({ verb: "self-test" });
    expect(parsePlanCommand("self-test now")).toMatchObject({ refused: { code: "COMMAND_USAGE" } });
    expect(PLAN_USAGE.some((line) => line.startsWith("/plan self-test — "))).toBe(true);
  });
});
