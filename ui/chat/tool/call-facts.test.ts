import { expect, it } from "vitest";
import { speak } from "../../i18n/t.ts";
import { familyOf, refusalIn, shortCallArgs, textOf } from "./call-facts.ts";
import { calledTool, toolIcon, toolName } from "./tool-name.ts";

it("[UI-01] names the telling argument of a call, on one short line", () => {
  expect(shortCallArgs({ command: "ls -la\n  src", timeoutMs: 5 })).toBe("ls -la src");
  expect(shortCallArgs({ a: 1, b: [2] })).toBe('{"a":1,"b":[2]}');
  expect(shortCallArgs({ path: "x".repeat(500) })).toHaveLength(160);
  expect([shortCallArgs({}), shortCallArgs(undefined)]).toEqual(["", ""]);
  expect(shortCallArgs({ path: ".", pattern: "postgres" })).toBe("postgres"); // what was looked for, not where
  expect(shortCallArgs({ plan: [{ step: "Sand the wood of the old shed", status: "completed" }] })).toBe("");
});

it.each([
  ["plan-mode/read-only", "2026-01-01", "read_only"],
  ["unknown-command", "2026-01-01", "command_plan"],
  ["removes", null, "command"],
  ["permission/ask", null, "permission"],
  ["loop/repeated-call", null, "loop"],
  ["hook/ask", null, "plugin"],
  ["sub-agents/ancestor-gone", null, "sub_agent"],
  ["gate-unavailable", null, "unavailable"],
])("[UI-01] tells which kind of rule %s is", (rule, entered_at, family) =>
  expect(familyOf({ rule, entered_at })).toBe(family),
);

it("takes nothing for granted in what tools wrote", () => {
  const result = { kind: "result", turnId: "trn_1", callId: "c", tool: "t", status: "refused", content: "no" };
  expect(refusalIn(result as Parameters<typeof refusalIn>[0])).toBe(undefined);
});

it("[UI-01] calls the tools of the house by names that people read, and others by their own", async () => {
  await speak(["en"]);
  const cell = calledTool({ tool: "exec", target: "code_mode.exec" }); // CM-04: a cell is not taken for a command
  expect([toolName(cell), shortCallArgs({ code: "return 1" })]).toEqual(["Run program", "return 1"]);
  expect([toolName("exec"), toolIcon("exec")]).toEqual(["Run command", "terminal"]);
  expect([toolName("exit_plan_mode"), toolIcon("ask_user_question")]).toEqual(["Submit plan", "question"]);
  expect([toolName("constructor"), toolName("github.create_issue"), toolIcon("constructor")]).toEqual([
    undefined,
    undefined,
    "tool",
  ]);
});

it("[UI-12] shows a written file as its lines, below the path, not as escaped JSON", () => {
  expect(textOf({ content: "# Title\n\npath: /etc/passwd\n", path: "a.md" })).toBe(
    "path: a.md\ncontent:\n    # Title\n    \n    path: /etc/passwd\n    ",
  );
  expect(textOf({ exitCode: 3, output: "no\nway" })).toBe("exitCode: 3\noutput:\n    no\n    way");
  expect([textOf("as it is"), textOf([1])]).toEqual(["as it is", "[\n  1\n]"]);
});
