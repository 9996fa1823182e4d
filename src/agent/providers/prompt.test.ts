import { describe, expect, it } from "vitest";
import { input, READ } from "../../../test/kit/model-server.ts";
import { TurnId } from "../../protocol/ids.ts";
import type { Entry, EntryOf } from "../../protocol/transcript-entry.ts";
import { keptOf } from "./kept-parts.ts";
import { promptOf, toolsOf } from "./prompt.ts";
import { ownNames, wireCallId, wireName } from "./wire-names.ts";

const turnId = TurnId.parse("trn_1");
const model = "anthropic/claude-opus-5-5";
const said = (given: Partial<EntryOf<"assistant">> = {}): Entry => ({
  kind: "assistant",
  turnId,
  text: "I look.",
  calls: [{ callId: "c1", tool: "read", args: { path: "a" } }],
  ...given,
});
const result = (callId: string, status: "ok" | "error" | "refused" | "unknown" | "skipped" = "ok"): Entry => ({
  kind: "result",
  turnId,
  callId,
  tool: "read",
  status,
  content: "text",
});
const prompt = (...entries: Entry[]) => promptOf({ system: "Be careful.", entries }, { model, seesImages: true });
const user = (...texts: string[]) => ({ role: "user", content: texts.map((text) => ({ type: "text", text })) });
const toolResult = (toolCallId: string, output: object) => ({
  type: "tool-result",
  toolCallId,
  toolName: "read",
  output,
});

describe("the transcript as a prompt", () => {
  it("[RT-01] begins with the system text and leaves out what is for people only", () => {
    expect(prompt(input("hi"), { kind: "notice", text: "psst" })).toEqual([
      { role: "system", content: "Be careful." },
      user("hi"),
    ]);
  });

  it("[RT-01] keeps the results of one answer together and says in words what did not go well", () => {
    const calls = ["c1", "c2", "c3", "c4", "c5"].map((callId) => ({ callId, tool: "read", args: {} }));
    const statuses = ["ok", "error", "refused", "unknown", "skipped"] as const;
    const results = statuses.map((status, at) => result(`c${at + 1}`, status));
    expect(prompt(input("hi"), said({ text: "", calls }), ...results).slice(2)).toEqual([
      {
        role: "assistant",
        content: calls.map(({ callId }) => ({ type: "tool-call", toolCallId: callId, toolName: "read", input: {} })),
      },
      {
        role: "tool",
        content: [
          toolResult("c1", { type: "text", value: "text" }),
          toolResult("c2", { type: "error-text", value: "[error] text" }),
          toolResult("c3", { type: "error-text", value: "[refused] text" }),
          toolResult("c4", { type: "error-text", value: "[unknown] text" }),
          toolResult("c5", { type: "error-text", value: "[skipped] text" }),
        ],
      },
    ]);
  });

  it("[TO-09, RT-01] shows images behind the results of one answer, and their bytes never as words", () => {
    const calls = ["c1", "c2", "c3"].map((callId) => ({ callId, tool: "read", args: {} }));
    const image = { type: "image", mediaType: "image/png", path: "a.png", size: 3 };
    const seen: Entry[] = ["c1", "c3"].map((callId) => ({
      kind: "result",
      turnId,
      callId,
      tool: "read",
      status: "ok",
      content: { ...image, bytes: "AAAA" },
    }));
    const [first, last] = seen;
    const entries = [input("hi"), said({ text: "", calls }), first, result("c2"), last, input("and?")].flatMap(
      (entry) => entry ?? [],
    );
    const file = { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } };
    const told = (callId: string) => toolResult(callId, { type: "text", value: JSON.stringify(image) });
    const results = {
      role: "tool",
      content: [told("c1"), toolResult("c2", { type: "text", value: "text" }), told("c3")],
    };
    expect(prompt(...entries).slice(3)).toEqual([
      results,
      {
        role: "user",
        content: [
          { type: "text", text: "The images that were read, in this order:" },
          file,
          file,
          { type: "text", text: "and?" },
        ],
      },
    ]);
    const blind = promptOf({ system: "", entries }, { model, seesImages: false });
    expect(blind.slice(3)).toEqual([results, user("and?")]);
  });

  it("[RT-01] joins inputs between which nothing was said: vendors want turns, and no empty ones", () => {
    expect(prompt(input("a"), said({ text: "", calls: [] }), input("b")).slice(1)).toEqual([user("a", "b")]);
  });

  it("[RT-01] gives a model its own thoughts back, signed and in their places", () => {
    const signed = { anthropic: { signature: "s" } };
    const kept = keptOf(model, [
      { type: "thought", text: "hm", options: signed },
      { type: "text", chars: 2 },
      { type: "thought", text: "", options: signed },
      { type: "text", chars: 5 },
      { type: "call", options: { anthropic: { caller: "x" } } },
    ]);
    expect(prompt(input("hi"), said(kept === undefined ? {} : { kept }))[2]).toEqual({
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", providerOptions: signed },
        { type: "text", text: "I " },
        { type: "reasoning", text: "", providerOptions: signed },
        { type: "text", text: "look." },
        {
          type: "tool-call",
          toolCallId: "c1",
          toolName: "read",
          input: { path: "a" },
          providerOptions: { anthropic: { caller: "x" } },
        },
      ],
    });
  });

  it("[RT-01] gives no model another one's thoughts, and none that do not fit what was recorded", () => {
    const thought = { type: "thought", text: "hm" } as const;
    const plain = prompt(input("hi"), said())[2];
    const fitting = [thought, { type: "text", chars: 7 }, { type: "call" }];
    for (const kept of [
      { model: "openai/gpt-5.2", parts: fitting },
      { model, parts: [thought, { type: "text", chars: 3 }, { type: "call" }] },
      { model, parts: [thought, { type: "text", chars: 7 }] },
      { model, parts: { nothing: "that we wrote" } },
    ]) {
      expect(prompt(input("hi"), said({ kept }))[2]).toEqual(plain);
    }
    expect(prompt(input("hi"), said({ kept: { model, parts: fitting } }))[2]).not.toEqual(plain);
  });

  it("keeps nothing that nobody wants back, and nothing without measure", () => {
    const thought = { type: "thought", text: "hm" } as const;
    expect(keptOf(model, [{ type: "text", chars: 7 }, { type: "call" }])).toBeUndefined();
    expect(keptOf(model, [thought, { type: "text", chars: 7 }])).toBeUndefined();
    expect(keptOf(model, [thought, { type: "call" }])).toEqual({ model, parts: [thought, { type: "call" }] });
    expect(keptOf(model, [{ ...thought, text: "x".repeat(200_000) }, { type: "call" }])).toBeUndefined();
  });
});

describe("names on the wire", () => {
  it("keeps what every vendor takes", () => {
    expect([wireName("mcp__files__read"), wireCallId("call_1")]).toEqual(["mcp__files__read", "call_1"]);
  });

  it.each(["trn_1.2", "x".repeat(80), "", "ü"])("replaces the id %j by one that fits, the same each time", (callId) => {
    expect(wireCallId(callId)).toMatch(/^call_[0-9a-f]{24}$/);
    expect(wireCallId(callId)).toBe(wireCallId(callId));
  });

  it("replaces a name that does not fit, and finds the tool again by it", () => {
    const names = ["mcp__a.b__read", "mcp__a_b__read", `mcp__${"x".repeat(90)}`, "9lives"];
    const own = ownNames(names.map((name) => ({ name })));
    const sent = toolsOf(names.map((name) => ({ ...READ, name }))).map(({ name }) => name);
    expect(sent.every((name) => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name))).toBe(true);
    expect(sent.map(own)).toEqual(names);
    expect(own("never_offered")).toBe("never_offered");
  });
});
