import { expect, it } from "vitest";
import type { HistoryItem } from "../../../src/protocol/methods.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { TurnId } from "../../../src/protocol/ids.ts";
import { callsByStep, evidenceFor } from "./step-calls.ts";

const turnId = TurnId.parse("trn_1");
let n = 0;
/** A call and its result, as two entries. */
function called(
  tool: string,
  args: JsonObject,
  result: { status?: "ok" | "error"; content?: JsonObject } = {},
): HistoryItem[] {
  n += 2;
  const callId = `c${n}`;
  const { status = "ok", content = {} } = result;
  return [
    { n, atMs: n, entry: { kind: "assistant", turnId, text: "", calls: [{ callId, tool, args }] } },
    { n: n + 1, atMs: n, entry: { kind: "result", turnId, callId, tool, status, content } },
  ];
}
const ran = (command: string, exitCode: number) =>
  called("exec", { command }, { status: exitCode === 0 ? "ok" : "error", content: { exitCode, output: "" } });
const step = (text: string, status: string) => ({ step: text, status });
const update = (...plan: JsonObject[]) => called("update_plan", { merge: true, plan });

it("[UI-12] a call belongs to the step in progress, or to the one that the next update closes", () => {
  const calls = callsByStep(
    [
      ...called("exit_plan_mode", { title: "Tidy", plan: [step("Test", "pending"), step("Write", "pending")] }),
      ...update(step("Test", "in_progress")),
      ...called("read", { path: "a.txt" }),
      ...ran("npm ci", 0),
      ...ran("npm test", 3),
      ...update(step("Test", "completed")),
      ...called("write", { path: "b.txt", content: "x" }),
      ...update(step("Write", "completed")),
    ].flat(),
  );
  const shown = [...calls].map(([text, made]) => [
    text,
    made.map(({ about, isOk, exitCode }) => [about, isOk, exitCode]),
  ]);
  expect(shown).toEqual([
    [
      "Test",
      [
        ["npm ci", true, 0],
        ["npm test", false, 3],
      ],
    ],
    ["Write", [["b.txt", true, undefined]]],
  ]);
});

it("[UI-12] a criterion is backed by the last run of the very command that it names, and by nothing else", () => {
  const calls = callsByStep([
    ...called("exit_plan_mode", { title: "Tidy", plan: [step("Test", "in_progress")] }),
    ...ran("npm test", 0),
    ...ran("npm test", 3),
    ...ran("npm ci && npm run lint", 0),
  ]).get("Test");
  const codeOf = (criterion: string) => evidenceFor(criterion, calls ?? [])?.exitCode;
  expect(codeOf("`npm test` passes")).toBe(3);
  expect(codeOf("`npm run lint` finds nothing")).toBe(0);
  expect([codeOf("No test fails"), codeOf("`npm` is there"), evidenceFor("`npm test`", [])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
