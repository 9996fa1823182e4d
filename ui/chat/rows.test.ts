import { expect, it } from "vitest";
import { MessageId, TurnId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { HistoryItem } from "../../src/protocol/methods.ts";
import type { Entry } from "../../src/protocol/transcript-entry.ts";
import { rowsOf } from "./rows.ts";

const turnId = TurnId.parse("trn_1");
const item = (n: number, entry: Entry): HistoryItem => ({ n, atMs: n * 1_000, entry });
const says = (text: string, ...callIds: string[]): Entry => ({
  kind: "assistant",
  turnId,
  text,
  calls: callIds.map((callId) => ({ callId, tool: "read", args: { path: callId } })),
});
const result = (callId: string) =>
  ({ kind: "result", turnId, callId, tool: "read", status: "ok", content: "fine" }) as const;
const asked: Entry = {
  kind: "input",
  turnId,
  text: "",
  injectionIds: [],
  messages: [{ id: MessageId.parse("msg_1"), from: "Alice", text: "Look" }],
};

it("[UI-01] puts each call into one row with its result, where it was made", () => {
  const items = [
    item(1, asked),
    item(2, says("I look.", "c1", "c2")),
    item(3, result("c2")),
    item(4, result("c1")),
    item(5, says("Seen.")),
  ];
  const rows = rowsOf({ items, speech: "" });
  expect(rows.map((row) => [row.kind, row.key])).toEqual([
    ["asked", "1-msg_1"],
    ["said", "2"],
    ["call", "call-c1"],
    ["call", "call-c2"],
    ["said", "5"],
  ]);
  expect(rows[2]).toEqual({
    kind: "call",
    key: "call-c1",
    call: { callId: "c1", tool: "read", args: { path: "c1" } },
    result: result("c1"),
  });
  expect(rows.filter((row) => row.kind === "said").map(({ goesOn }) => goesOn)).toEqual([false, true]);
});

it("shows a result whose call was not read yet, and leaves out what the plan itself shows", () => {
  const items = [
    item(7, result("c9")),
    item(8, { kind: "notice", text: "[plan-mode] entered" }),
    item(9, { kind: "notice", text: "Hi" }),
  ];
  expect(rowsOf({ items, speech: "" }).map(({ key }) => key)).toEqual(["call-c9", "9"]);
});

it("puts replies to commands behind the entry after which they came", () => {
  const items = [item(1, { kind: "notice", text: "a" }), item(2, { kind: "notice", text: "b" })];
  const aside = { id: 4, command: "/help", text: "…", said: [], atMs: 0, afterN: 1 };
  const rows = rowsOf({ items, speech: "Hel" }, [aside, { ...aside, id: 5, afterN: 2 }]);
  expect(rows.map(({ key }) => key)).toEqual(["1", "aside-4", "2", "aside-5", "speech"]);
});

const planCall = (callId: string, tool: string, args: JsonObject): Entry => ({
  kind: "assistant",
  turnId,
  text: "",
  calls: [{ callId, tool, args }],
});
const planned = (callId: string, tool: string, status: "ok" | "error" = "ok") =>
  ({ ...result(callId), tool, status }) as const;
const steps = (...statuses: string[]) => statuses.map((status, index) => ({ step: `Step ${index + 1}`, status }));

it("[UI-01] shows one card per plan, with the steps as the last update left them, and no row per update", () => {
  const items = [
    item(1, planCall("c1", "exit_plan_mode", { title: "Paint", plan: steps("pending", "pending") })),
    item(2, planned("c1", "exit_plan_mode")),
    item(3, planCall("c2", "update_plan", { plan: steps("in_progress"), merge: true })),
    item(4, planned("c2", "update_plan")),
    item(5, planCall("c3", "update_plan", { plan: steps("completed", "completed") })),
    item(6, planned("c3", "update_plan", "error")),
    item(7, { kind: "notice", text: "[plan-mode] entered at 2026-01-01T00:00:00Z — reason: on request" }),
    item(8, planCall("c4", "update_plan", { plan: steps("pending") })),
    item(9, planned("c4", "update_plan")),
  ];
  const rows = rowsOf({ items, speech: "" });
  expect(rows.map(({ key }) => key)).toEqual(["plan-c1", "call-c3", "plan-c4"]);
  expect(rows[0]).toEqual({
    kind: "plan",
    key: "plan-c1",
    title: "Paint",
    isLatest: false,
    steps: [
      { text: "Step 1", status: "in_progress" },
      { text: "Step 2", status: "pending" },
    ],
  });
  expect(rows[2]).toEqual({
    kind: "plan",
    key: "plan-c4",
    title: "",
    isLatest: true,
    steps: [{ text: "Step 1", status: "pending" }],
  });
});
