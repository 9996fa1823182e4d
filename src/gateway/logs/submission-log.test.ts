import { expect, it } from "vitest";
import type { Committed } from "../../engine/commit-feed.ts";
import { SessionId, TurnId } from "../../protocol/ids.ts";
import type { Json } from "../../protocol/json.ts";
import type { CallStatus } from "../../protocol/transcript-entry.ts";
import { logSubmissions } from "./submission-log.ts";

function logged(tool: string, status: CallStatus, content: Json): unknown[] {
  const sessionId = SessionId.parse("ses_1");
  const lines: unknown[] = [];
  let hear: (committed: Committed) => void = () => undefined;
  const onCommitted = (listener: typeof hear) => {
    hear = listener;
    return () => undefined;
  };
  logSubmissions({ onCommitted }, { info: (...line: unknown[]) => void lines.push(line) } as never);
  const entry = { kind: "result", turnId: TurnId.parse("trn_1"), callId: "c", tool, status, content } as const;
  hear({
    sessionId,
    session: undefined,
    events: [{ cursor: 1, sessionId, atMs: 1, event: { type: "entry.appended", n: 1, entry } }],
  });
  return lines;
}

it("[SB-05] logs one line for each submission, accepted or refused, with the reason", () => {
  const subsystem = "agents/exit-plan-gate";
  const line = (result: string, open: number, reason: string): string =>
    `gate decision: result=${result} runId=trn_1 sessionKey=ses_1 openSubagents=${open} reason=${reason}`;
  const why = "no sub-agent is open";
  expect(logged("exit_plan_mode", "ok", { plan_id: "pln_1" })).toEqual([
    [
      { subsystem, sessionId: "ses_1", decision: "accepted", planId: "pln_1", why, subagents: [] },
      line("allowed", 0, why),
    ],
  ]);
  const code = "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS";
  const refused = { error: code, message: "they\nwork", details: { subagents: ["ses_2", "ses_3"] } };
  expect(logged("exit_plan_mode", "error", refused)).toEqual([
    [
      { subsystem, sessionId: "ses_1", decision: "refused", code, why: "they\nwork", subagents: ["ses_2", "ses_3"] },
      line("blocked", 2, "they work"),
    ],
  ]);
  expect(logged("exit_plan_mode", "error", "title is required")).toMatchObject([
    [{ why: "title is required" }, line("blocked", 0, "title is required")],
  ]);
  expect(logged("read", "ok", "x")).toEqual([]);
});
