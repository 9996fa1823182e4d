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
  expect(logged("exit_plan_mode", "ok", { plan_id: "pln_1" })).toEqual([
    [{ sessionId: "ses_1", decision: "accepted", planId: "pln_1", why: "no sub-agent is open" }, "plan submission"],
  ]);
  const refused = {
    error: "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS",
    message: "they work",
    details: { subagents: ["ses_2"] },
  };
  expect(logged("exit_plan_mode", "error", refused)).toEqual([
    [
      {
        sessionId: "ses_1",
        decision: "refused",
        code: "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS",
        why: "they work",
        subagents: { subagents: ["ses_2"] },
      },
      "plan submission",
    ],
  ]);
  expect(logged("exit_plan_mode", "error", "title is required")).toMatchObject([
    [{ why: "title is required" }, "plan submission"],
  ]);
  expect(logged("read", "ok", "x")).toEqual([]);
});
