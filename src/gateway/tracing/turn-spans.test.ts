import { expect, it } from "vitest";
import { sessionId, turnId } from "../../../test/kit/core.ts";
import type { Committed } from "../../engine/commit-feed.ts";
import { CallerId } from "../../protocol/ids.ts";
import type { SessionEvent } from "../../protocol/session.ts";
import { followTurns, type OpenSpan, type SpanAttributes, type SpanStart } from "./turn-spans.ts";

type Drawn = { path: string; lastedMs: number; attributes: SpanAttributes };

function following() {
  const drawn: Drawn[] = [];
  const span = (above: string, { name, atMs, attributes }: SpanStart): OpenSpan => {
    const path = above === "" ? name : `${above} › ${name}`;
    return {
      child: (start) => span(path, start),
      end: (end) =>
        void drawn.push({ path, lastedMs: end.atMs - atMs, attributes: { ...attributes, ...end.attributes } }),
    };
  };
  let publish: (committed: Committed) => void = () => undefined;
  const onCommitted = (listener: typeof publish) => {
    publish = listener;
    return () => undefined;
  };
  followTurns({ onCommitted }, { root: (start) => span("", start) });
  let cursor = 0;
  const commit = (atMs: number, event: SessionEvent): void =>
    publish({ sessionId, session: undefined, events: [{ cursor: (cursor += 1), sessionId, atMs, event }] });
  return { drawn, commit };
}

it("[GW-07] calls of a cell stand below the call that ran it, and an answer has its tokens and its cost", () => {
  const { drawn, commit } = following();
  const turn = turnId("1");
  const caller = { kind: "cell", id: CallerId.parse("clr_1") } as const;
  const usage = {
    model: "m/1",
    inputTokens: 7,
    outputTokens: 3,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costUsd: 0.5,
  };
  const inner = { caller, parentCallId: "1", callId: "1.1", tool: "read" };
  let n = 0;
  const append = (atMs: number, entry: Extract<SessionEvent, { type: "entry.appended" }>["entry"]): void =>
    commit(atMs, { type: "entry.appended", n: (n += 1), entry });
  commit(0, { type: "turn.started", turnId: turn, epoch: 1, node: "here", leaseUntilMs: 9 });
  append(10, { kind: "assistant", turnId: turn, text: "", calls: [{ callId: "1", tool: "exec", args: {} }], usage });
  append(20, { kind: "call", ...inner, args: {} });
  append(25, { kind: "call-result", ...inner, status: "ok", content: "" });
  append(40, { kind: "result", turnId: turn, callId: "1", tool: "exec", status: "ok", content: "" });
  commit(50, { type: "turn.finished", turnId: turn, outcome: "done", message: "" });
  expect(drawn.map(({ path, lastedMs }) => [path, lastedMs])).toEqual([
    ["invoke_agent unknown › chat m/1", 10],
    ["invoke_agent unknown › execute_tool exec › execute_tool read", 5],
    ["invoke_agent unknown › execute_tool exec", 30],
    ["invoke_agent unknown", 50],
  ]);
  expect(drawn[0]?.attributes).toMatchObject({
    "gen_ai.usage.input_tokens": 7,
    "gen_ai.usage.output_tokens": 3,
    "holdpoint.usage.cost_usd": 0.5,
  });
});
