import { expect, it } from "vitest";
import { callsWithoutResult } from "../../agent/transcript.ts";
import { SessionId, TurnId } from "../../protocol/ids.ts";
import type { Entry } from "../../protocol/transcript-entry.ts";
import { logRepairs } from "./repair-log.ts";

const turnId = TurnId.parse("trn_1");
const call = (n: number) => ({ callId: `c${n}`, tool: "read", args: {} });
const said = (count: number): Entry => ({
  kind: "assistant",
  turnId,
  text: "",
  calls: Array.from({ length: count }, (_, n) => call(n)),
});

it("[RT-05] finds the calls that have no result, and logs five of them and a summary of the rest", () => {
  const result: Entry = { kind: "result", turnId, callId: "c0", tool: "read", status: "ok", content: "x" };
  expect(callsWithoutResult([said(2), result]).map(({ callId }) => callId)).toEqual(["c1"]);
  const lines: [object, string][] = [];
  const log = { warn: (fields: object, text: string) => void lines.push([fields, text]) } as never;
  const sessionId = SessionId.parse("ses_1");
  logRepairs(log, sessionId, callsWithoutResult([said(3)]));
  expect(lines).toHaveLength(3);
  expect(lines[0]).toEqual([
    { sessionId, callId: "c0", tool: "read" },
    "[transport-repair] a call had no result; a placeholder was sent",
  ]);
  lines.length = 0;
  logRepairs(log, sessionId, callsWithoutResult([said(200)]));
  expect(lines).toHaveLength(6);
  const [fields, text] = lines[5] ?? [{}, ""];
  expect(fields).toMatchObject({ count: 195, callIds: expect.objectContaining({ length: 20 }) });
  expect(text).toContain("[transport-repair] further calls");
});
