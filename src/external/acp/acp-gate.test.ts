import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../protocol/json.ts";
import { createAcpGate } from "./acp-gate.ts";

const place = { agent: "gemini-cli", session: "run-1", workspace: "/w" };
const HELD = { decision: "deny", reason: "Plan first.", status: "held" };

function opened(told: Record<string, JsonObject>) {
  const asked: JsonObject[] = [];
  const toAgent: JsonObject[] = [];
  const toEditor: JsonObject[] = [];
  const gate = createAcpGate({
    place,
    ask: async (line, signal) => {
      asked.push(line);
      if (told["never"] !== undefined) {
        await new Promise<void>((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener("abort", () => resolve());
        });
      }
      return told[typeof line["do"] === "string" ? line["do"] : ""] ?? { error: "No gateway answers." };
    },
    released: async () => undefined,
    toAgent: (message) => void toAgent.push(message),
    toEditor: (message) => void toEditor.push(message),
  });
  const option = async (toolCall: JsonObject): Promise<unknown> => {
    const answers = () => toAgent.filter(({ id }) => id === 7);
    const before = answers().length;
    gate.fromAgent({
      jsonrpc: "2.0",
      id: 7,
      method: "session/request_permission",
      params: { sessionId: "s", toolCall, options: OPTIONS },
    });
    await expect.poll(() => answers().length).toBe(before + 1);
    return answers().at(-1)?.["result"];
  };
  return { gate, asked, toAgent, toEditor, option };
}

/** As agents order them: the one that allows everything comes first. */
const OPTIONS = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Yes", kind: "allow_once" },
  { optionId: "never", name: "Never", kind: "reject_always" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const YES = { outcome: { outcome: "selected", optionId: "once" } };
const NO = { outcome: { outcome: "selected", optionId: "no" } };
const EDIT = { title: "Write made.txt", kind: "edit", locations: [{ path: "/w/made.txt" }] };

describe("an ACP agent behind the gate", () => {
  it("[IG-04] is allowed or refused once, by the kind of the option, as the gate decides", async () => {
    const { option, asked } = opened({ call: { decision: "allow", status: "approved" } });
    expect(await option(EDIT)).toEqual(YES);
    expect(await option({ title: "List", kind: "execute", rawInput: { command: "ls" } })).toEqual(YES);
    expect(asked).toMatchObject([
      { do: "call", ...place, tool: "edit", args: { path: "/w/made.txt" } },
      { do: "call", tool: "exec", args: { command: "ls" } },
    ]);
    expect(await opened({}).option(EDIT)).toEqual(NO); // no gateway
    expect(await opened({ call: { decision: "maybe" } }).option(EDIT)).toEqual(NO);
  });

  it("[IG-04] has what it tried first put before people, where it handed over no plan", async () => {
    const { option, asked } = opened({ call: HELD, plan: { outcome: "approved", message: "Go." } });
    expect(await option(EDIT)).toEqual(YES);
    expect(asked[1]).toMatchObject({ do: "plan", withdraw: true, plan: { steps: [{ step: "Write made.txt" }] } });
    const later = opened({ call: { ...HELD, status: "pending" }, wait: { outcome: "approved", message: "" } });
    expect(await later.option(EDIT)).toEqual(YES);
  });

  it("[IG-04] has its plan decided on, and reads the feedback before the next prompt", async () => {
    const { gate, option, asked, toAgent, toEditor } = opened({
      plan: { outcome: "rejected", message: "Use the new table." },
    });
    const recorded = new URL("../../../test/kit/recorded/agents/acp-plan-permission.json", import.meta.url);
    const { params } = JSON.parse(readFileSync(recorded, "utf8")) as { params: { toolCall: JsonObject } };
    expect(await option(params.toolCall)).toEqual(NO);
    expect(asked).toMatchObject([{ do: "plan", plan: { text: "# Plan\n1. do the thing\n" } }]);
    expect(JSON.stringify(toEditor)).toContain("Holdpoint: Use the new table.");
    gate.fromEditor({
      jsonrpc: "2.0",
      id: 3,
      method: "session/prompt",
      params: { sessionId: "s", prompt: [{ type: "text", text: "go on" }] },
    });
    expect(toAgent.at(-1)?.["params"]).toEqual({
      sessionId: "s",
      prompt: [
        { type: "text", text: "Use the new table." },
        { type: "text", text: "go on" },
      ],
    });
  });

  it("[IG-04] must read an edited plan before it goes on", async () => {
    const { option, toEditor } = opened({ plan: { outcome: "approved", message: "Changed.", edited: "1. do less" } });
    expect(await option({ kind: "switch_mode", rawInput: { plan: "1. do more" } })).toEqual(NO);
    expect(JSON.stringify(toEditor)).toContain("1. do less");
  });

  it("[IG-04] does not get the editor's hands, which nothing keeps", () => {
    const { gate, toAgent, toEditor } = opened({});
    gate.fromEditor({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: 1,
        clientCapabilities: { fs: { writeTextFile: true }, terminal: true, elicitation: {} },
      },
    });
    expect(toAgent[0]?.["params"]).toEqual({
      protocolVersion: 1,
      clientCapabilities: { elicitation: {}, fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    for (const method of ["fs/write_text_file", "terminal/create"]) {
      gate.fromAgent({ jsonrpc: "2.0", id: 2, method, params: { path: "/w/x", content: "x" } });
      expect(toAgent.at(-1)).toMatchObject({ id: 2, error: { code: -32_601 } });
    }
    gate.fromAgent({ jsonrpc: "2.0", method: "session/update", params: {} });
    gate.fromAgent("nonsense");
    expect(toEditor).toEqual([{ jsonrpc: "2.0", method: "session/update", params: {} }]);
  });

  it("[IG-04] takes from the editor one answer to what the editor was asked, and none to what people decide", async () => {
    const { gate, toAgent, option } = opened({ never: {}, call: HELD });
    gate.fromAgent({ jsonrpc: "2.0", id: 5, method: "elicitation/create", params: {} });
    const answers = (id: number | string) => toAgent.filter((message) => message["id"] === id).length;
    const twice = { jsonrpc: "2.0", id: 5, result: { action: "accept" } };
    for (const answer of [{ ...twice, id: "5" }, twice, twice]) gate.fromEditor(answer);
    expect([answers(5), answers("5")]).toEqual([1, 0]);
    const waiting = option(EDIT); // asked under the id 7
    gate.fromEditor({ jsonrpc: "2.0", id: 7, result: { outcome: { outcome: "selected", optionId: "always" } } });
    expect(answers(7)).toBe(0);
    gate.fromEditor({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    expect(await waiting).toEqual({ outcome: { outcome: "cancelled" } });
  });

  it("[IG-04] is answered when the editor calls it off", async () => {
    const { gate, option } = opened({ never: {}, call: HELD });
    const waiting = option(EDIT);
    gate.fromEditor({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    expect(await waiting).toEqual({ outcome: { outcome: "cancelled" } });
  });
});
