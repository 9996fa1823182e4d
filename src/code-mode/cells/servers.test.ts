/** Tools of MCP servers and of plugins that come and go, as cells see them. */
import { describe, expect, it, vi } from "vitest";
import { codeWorld, type CodeWorldGiven, resultOf } from "../../../test/kit/code-world.ts";
import { plainSandbox } from "../../../test/kit/plain-sandbox.ts";
import type { ScriptStep } from "../../../test/kit/scripted-model.ts";
import { definePlugin, namespaceCall, z } from "../../plugins/sdk.ts";
import type { ToolContext, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../../tools/define-tool.ts";
import { serverTool } from "../../tools/mcp/server-tool.ts";
import type { Sandbox, ScopeNode } from "../sandbox/sandbox.ts";

const exec = (code: string): ScriptStep => ({ calls: [{ tool: "exec", args: { code } }] });

const NO_ANSWER = {};

/** As the client of the protocol does: what is stopped fails in the words of what took too long. */
const stoppedBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const timeout = Object.assign(new Error("stopped"), { code: "REQUEST_TIMEOUT" });
    signal.addEventListener("abort", () => reject(timeout), { once: true });
  });

/** A server's tool that answers so. */
function shopTool(name: string, result: object, change: object = {}) {
  const link = {
    name: "shop",
    settings: { trusted: true, tools: {}, callTimeoutSeconds: 60 },
    use: async (_work: unknown, signal: AbortSignal) => (result === NO_ANSWER ? stoppedBy(signal) : result),
  };
  const listed = { name, description: "Sells.", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
  const made = serverTool(`mcp__shop__${name}`, listed as never, { link: link as never, isAsTrusted: true });
  if (made === undefined) throw new Error("no tool");
  return { ...made, ...change };
}

/** The targets of the calls that a server's members make. */
const callsOf = (node: ScopeNode | undefined): string[] =>
  node !== undefined && "members" in node
    ? node.members.flatMap(([, part]) => ("call" in part ? [part.call] : []))
    : [];

async function value(code: string, given: CodeWorldGiven) {
  const world = await codeWorld([exec(code), { say: "done" }], given);
  await world.say("go");
  const result = await resultOf(world, "exec");
  if (result.status !== "completed") throw new Error(JSON.stringify(result));
  return result.value;
}

/** A plugin with a namespace over one tool. */
const tracker = () =>
  definePlugin({
    id: "issues",
    name: "",
    description: "",
    register(api) {
      api.tools.registerTool(
        defineTool({
          name: "issue_list",
          description: "",
          effect: "read",
          kind: "read_only",
          input: z.strictObject({}),
          run: async () => ({ status: "ok", content: "issues" }) as const,
        }),
      );
      api.tools.registerCodeNamespace({
        id: "tracker",
        globalName: "tracker",
        description: "Issues.",
        requiredToolNames: ["issue_list"],
        createScope: () => ({ list: namespaceCall("issue_list") }),
      });
    },
  });

const text = (said: string) => ({ content: [{ type: "text", text: said }] });

describe("what a server answers to a program", () => {
  it("[CM-03] 87, 169: is fields: JSON text is parsed, an error resolves, and the model itself gets fenced text", async () => {
    const tools = [
      shopTool("json", text('{"row": 7}')),
      shopTool("words", text("just words")),
      shopTool("broken", { ...text("sold out"), isError: true }),
      shopTool("own", { content: [], structuredContent: { own: true } }),
    ];
    const code = `const { shop } = MCP; return [await shop.json({}), await shop.words({}), await shop.broken({}), await shop.own()];`;
    expect(await value(code, { tools })).toEqual([
      { content: [{ type: "text", text: '{"row": 7}' }], structuredContent: { row: 7 } },
      { content: [{ type: "text", text: "just words" }] },
      { content: [{ type: "text", text: "sold out" }], isError: true },
      { content: [], structuredContent: { own: true } },
    ]);
    const [first] = tools;
    const run = first?.effect === "read" ? first.run.bind(first) : undefined;
    const direct: ToolOutput | undefined = await run?.(
      {} as never,
      { signal: new AbortController().signal } as ToolContext,
    );
    expect(direct?.content).toEqual(expect.stringContaining("[untrusted "));
  });

  it("[CM-03, CM-04] 87, 117: keeps its shape where it is too large, and says what is missing", async () => {
    const tools = [
      shopTool("big", text("b".repeat(300_000))),
      shopTool("rows", text(JSON.stringify(Array.from({ length: 30_000 }, (_, row) => row)))),
    ];
    const code = `const [big, rows] = [await MCP.shop.big({}), await MCP.shop.rows({})];
      const [{ type, text: said }] = big.content;
      return [type, said.length > 50000, said.endsWith("[cut: 300000 characters in all; ask for a smaller part]"),
        rows.structuredContent.slice(0, 3), typeof rows.structuredContent.at(-1)];`;
    expect(await value(code, { tools })).toEqual(["text", true, true, [0, 1, 2], "string"]);
  });

  it("[CM-04] 50, 116: a batch that was refused is listed by the ids of its tools", async () => {
    const plain = plainSandbox();
    const run: Sandbox["run"] = async ({ bindings }) => ({
      status: "failed",
      error: "too many",
      code: "too_many_pending_tool_calls",
      output: [],
      calls: callsOf(bindings.mcp[0]?.[1]).map((target, index) => ({
        callId: `c${index}`,
        method: "namespace",
        target,
        state: "not_started",
      })),
      stats: { ms: 1, timersCancelled: 0, outputCharsCut: 0 },
    });
    const world = await codeWorld([exec("return 1"), { say: "done" }], {
      tools: [shopTool("json", text("1"))],
      sandbox: { ...plain, run },
    });
    await world.say("go");
    expect(await resultOf(world, "exec")).toMatchObject({
      status: "failed",
      calls: [
        { callId: "c0", toolId: "mcp:shop:json", state: "not_started" },
        { callId: "c1", toolId: "mcp:shop:$api", state: "not_started" },
      ],
    });
  });

  it("[CM-01, CM-03] 10, 82: a server's tool that is not offered is in no list, no file and by no name", async () => {
    const tools = [shopTool("shown", text("1")), shopTool("hidden", text("2"), { offered: () => false })];
    const code = `return [Object.keys(MCP.shop).includes("hidden"), (await API.read("mcp/shop.d.ts")).includes("hidden"),
      ALL_TOOLS.some(({ name }) => name.startsWith("mcp__")), (await tools.search("shown")).length,
      await tools.call("mcp:shop:shown", {}).catch(() => "none"), await tools.call("holdpoint:core:mcp__shop__shown", {}).catch(() => "none")];`;
    expect(await value(code, { tools })).toEqual([false, false, false, 0, "none", "none"]);
  });

  it("[CM-02, CM-03, CM-07] 56: calls of servers, namespaces and tools are awaited in the exec that made them, without another request", async () => {
    const code = `const header = await MCP.shop.$api("json"); const first = await MCP.shop.json({});
      const both = await Promise.all([tracker.list(), tools.glob({ pattern: "*" })]);
      await new Promise((done) => setTimeout(done, 1));
      return [header.includes("json"), first.structuredContent.row, both[0], await tracker.list(), await MCP.shop.json({})];`;
    const tools = [shopTool("json", text('{"row": 7}'))];
    const world = await codeWorld([exec(code), { say: "done" }], {
      tools,
      plugins: [{ plugin: tracker(), tier: "trusted" }],
    });
    await world.say("go");
    expect(await resultOf(world, "exec")).toMatchObject({
      status: "completed",
      value: [true, 7, "issues", "issues", {}],
    });
    expect(world.requests()).toHaveLength(2);
  });

  it("[CM-04, RT-08] that was still awaited when the turn ended is recorded as what it is", async () => {
    const world = await codeWorld([exec("return await MCP.shop.slow({})"), { say: "done" }], {
      tools: [shopTool("slow", NO_ANSWER)],
      codeMode: { enabled: true, timeoutMs: 100 },
    });
    await world.say("go");
    expect(await resultOf(world, "exec")).toMatchObject({ status: "waiting", reason: "pending_tools" });
    await vi.waitUntil(async () => (await world.entries()).some((entry) => entry.kind === "call-result"));
    expect((await world.entries()).filter((entry) => entry.kind === "call-result")).toMatchObject([
      {
        tool: "mcp__shop__slow",
        status: "error",
        content:
          'The MCP server "shop" had not answered when the call was stopped: its turn was over. Whether its tool slow took effect is unknown: look before you repeat it.',
      },
    ]);
  });

  it("[CM-03] 12, 150: no tools for searching stand beside the program's own", async () => {
    const code = `return ALL_TOOLS.map(({ name }) => name).filter((name) => name.startsWith("tool_"));`;
    expect(await value(code, {})).toEqual([]);
  });
});

describe("what goes away while a cell waits", () => {
  const waitStep = (request: { entries: readonly { kind: string; content?: unknown }[] }): ScriptStep => {
    const last = request.entries.findLast((entry) => entry.kind === "result");
    const { runId } = z.object({ runId: z.string() }).parse(last?.content);
    return { calls: [{ tool: "wait", args: { runId } }] };
  };

  it("[CM-03] 92: a server's tool: the call fails catchably, and the next exec has another catalog", async () => {
    const code = "await yield_control(); return await MCP.shop.json({}).catch((error) => 'caught: ' + error.message);";
    const world = await codeWorld(
      (request, number) => {
        if (number === 1) return exec(code);
        if (number === 2) {
          world.registry.remove("mcp__shop__json");
          return waitStep(request);
        }
        return number === 3 ? exec("return Object.keys(MCP)") : { say: "done" };
      },
      { tools: [shopTool("json", text("{}"))] },
    );
    await world.say("go");
    expect(await resultOf(world, "wait")).toMatchObject({
      status: "completed",
      value: expect.stringContaining("caught: "),
    });
    expect(await resultOf(world, "exec")).toMatchObject({ value: [] });
  });

  it("[CM-07] 101, 110, 163: a plugin: its namespace resumes through wait, and fails catchably once it is gone", async () => {
    const code = `await yield_control(); const first = await tracker.list();
      await yield_control(); return [first, await tracker.list().catch((error) => "caught: " + error.message)];`;
    const world = await codeWorld(
      (request, number) => {
        if (number === 1) return exec(code);
        if (number === 3) return { until: world.host.disable("issues"), ...waitStep(request) };
        return number === 2 ? waitStep(request) : { say: "done" };
      },
      { plugins: [{ plugin: tracker(), tier: "trusted" }] },
    );
    await world.say("go");
    expect(await resultOf(world, "wait")).toMatchObject({
      status: "completed",
      value: ["issues", expect.stringContaining("caught: ")],
    });
  });
});
