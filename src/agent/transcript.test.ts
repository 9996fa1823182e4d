import { describe, expect, it } from "vitest";
import { MessageId, TurnId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Entry } from "../protocol/transcript-entry.ts";
import { transcriptForModel, HISTORY_CHARS_MAX, HISTORY_ENTRIES_MAX } from "./transcript.ts";

const turnId = TurnId.parse("trn_1");
const input = (text: string): Entry => ({
  kind: "input",
  turnId,
  text,
  injectionIds: [],
  messages: [{ id: MessageId.parse("msg_1"), text, from: "Alice" }],
});
const says = (text: string, ...callIds: string[]): Entry => ({
  kind: "assistant",
  turnId,
  text,
  calls: callIds.map((callId) => ({ callId, tool: "read", args: {} })),
});
const result = (callId: string, content: Json = "ok"): Entry => ({
  kind: "result",
  turnId,
  callId,
  tool: "read",
  status: "ok",
  content,
});

describe("transcript for a model", () => {
  it("leaves notices out and everything else as it is", () => {
    const entries = [input("hi"), says("", "a"), result("a"), says("done")];
    expect(transcriptForModel([entries, [{ kind: "notice" as const, text: "for people" }]].flat())).toEqual(entries);
  });

  it("[RT-05] repairs a missing result with a labelled placeholder, and drops a result without its call", () => {
    expect(transcriptForModel([input("hi"), says("", "a", "b"), result("b"), result("stray"), says("next")])).toEqual([
      input("hi"),
      says("", "a", "b"),
      {
        kind: "result",
        turnId,
        callId: "a",
        tool: "read",
        status: "unknown",
        content: "[No result was recorded for this call. Whether it ran is unknown: look before you repeat it.]",
      },
      result("b"),
      says("next"),
    ]);
  });

  it("[RT-05] sends the newest steps that fit, begins with the input of the turn, and parts no call from its result", () => {
    const long = Array.from({ length: HISTORY_ENTRIES_MAX }, (_, n) => [says("", `c${n}`), result(`c${n}`)]).flat();
    const sent = transcriptForModel([input("old"), says("old"), input("now"), ...long]);
    expect(sent[0]).toEqual(input("now"));
    expect(sent.slice(1)).toEqual(long.slice(-HISTORY_ENTRIES_MAX));
  });

  it("[RT-05] bounds the characters as well", () => {
    const big = "x".repeat(HISTORY_CHARS_MAX / 4);
    const steps = Array.from({ length: 8 }, (_, n) => [says("", `c${n}`), result(`c${n}`, big)]).flat();
    const sent = transcriptForModel([input("now"), ...steps]);
    expect(sent[0]).toEqual(input("now"));
    expect(sent.slice(1)).toEqual(steps.slice(-6));
  });

  it("[RT-05] gives each of many large results its share", () => {
    const sent = transcriptForModel([
      input("now"),
      says("", "a", "b"),
      result("a", "small"),
      result("b", "y".repeat(HISTORY_CHARS_MAX)),
    ]);
    const share = HISTORY_CHARS_MAX / 4;
    expect(sent.slice(2)).toEqual([
      result("a", "small"),
      result("b", `${"y".repeat(share)}\n[cut here: ${share} of ${HISTORY_CHARS_MAX} characters are shown]`),
    ]);
  });
});
