/** Namespaces of plugins in cells (CM-07). */
import { describe, expect, it } from "vitest";
import { codeWorld, resultOf } from "../../../test/kit/code-world.ts";
import { definePlugin, type CodeNamespace, namespaceCall, z } from "../../plugins/sdk.ts";
import type { Json } from "../../protocol/json.ts";
import { defineTool } from "../../tools/define-tool.ts";
import { createCatalog } from "./catalog.ts";
import { bindNamespaces, visibleNamespaces } from "./namespaces.ts";

const shared = { colour: "red" };
const scope = () => ({
  version: 2,
  issues: { list: namespaceCall("issue_list"), find: namespaceCall("issue_list", (id) => ({ id: Number(id) })) },
  also: [shared, { again: shared }],
});

const issueTool = (name: string) =>
  defineTool({
    name,
    description: "",
    effect: "read",
    kind: "read_only",
    input: z.strictObject({ id: z.number().optional() }),
    run: async ({ id }: { id?: number | undefined }) =>
      id === 404
        ? ({ status: "error", content: "no such issue" } as const)
        : ({ status: "ok", content: { issue: id ?? "all" } } as const),
  });

const namespace = (change: Partial<CodeNamespace> = {}): CodeNamespace => ({
  id: "tracker",
  globalName: "tracker",
  description: "Issues of the tracker.",
  requiredToolNames: ["issue_list"],
  prompt: "Use tracker.issues.",
  createScope: scope,
  ...change,
});

const plugin = (id: string, change: { namespace?: CodeNamespace; tools?: string[] } = {}) =>
  definePlugin({
    id,
    name: id,
    description: "",
    register(api) {
      for (const name of change.tools ?? ["issue_list"]) api.tools.registerTool(issueTool(name));
      if (change.namespace !== undefined) api.tools.registerCodeNamespace(change.namespace);
    },
  });
const trusted = (one: ReturnType<typeof plugin>) => ({ plugin: one, tier: "trusted" }) as const;

async function value(
  code: string,
  plugins: readonly ReturnType<typeof trusted>[],
): Promise<{ value: Json; shown: string }> {
  const world = await codeWorld([{ calls: [{ tool: "exec", args: { code } }] }, { say: "done" }], { plugins });
  await world.say("go");
  const result = await resultOf(world, "exec");
  if (result.status !== "completed") throw new Error(JSON.stringify(result));
  return { value: result.value, shown: JSON.stringify(world.requests()[0]?.tools) };
}

describe("a namespace", () => {
  it("[CM-07] 93, 94, 98, 99, 101, 102, 103, 108, 163: is there with its words, calls its tools, and fails catchably", async () => {
    const code = `return [tracker.version, await tracker.issues.list(), await tracker.issues.list({ id: 3 }), await namespaces.tracker.issues.find("7"),
      await tracker.issues.find("404").catch((error) => "caught: " + error.message), await tracker.issues.find("x").catch(() => "bad input")];`;
    const { value: got, shown } = await value(code, [trusted(plugin("issues", { namespace: namespace() }))]);
    expect(got).toEqual([
      2,
      { issue: "all" },
      { issue: 3 },
      { issue: 7 },
      expect.stringContaining("caught: plugin:issues:issue_list: no such issue"),
      "bad input",
    ]);
    expect(shown).toContain("Issues of the tracker.");
    expect(shown).toContain("Use tracker.issues.");
  });

  it("[CM-07] 95, 96, 163: is hidden whole where a tool is missing or another plugin's", async () => {
    const code = "return [typeof tracker, Object.keys(namespaces)];";
    for (const plugins of [
      [trusted(plugin("issues", { namespace: namespace({ requiredToolNames: ["issue_list", "issue_close"] }) }))],
      [trusted(plugin("issues", { namespace: namespace(), tools: [] })), trusted(plugin("stranger"))],
    ]) {
      const { value: got, shown } = await value(code, plugins);
      expect(got).toEqual(["undefined", []]);
      expect(shown).not.toContain("Issues of the tracker.");
    }
  });

  it("[CM-07] 97, 163: is not described to the model where its scope cannot be made", async () => {
    const broken = { id: "broken", globalName: "broken", description: "Broken words.", prompt: "Use broken." };
    const plugins = [
      trusted(plugin("issues", { namespace: namespace() })),
      trusted(
        plugin("half", {
          namespace: namespace({
            ...broken,
            requiredToolNames: ["half"],
            createScope: () => ({ run: () => 1 }) as never,
          }),
          tools: ["half"],
        }),
      ),
    ];
    const { value: got, shown } = await value("return [typeof broken, typeof tracker];", plugins);
    expect(got).toEqual(["undefined", "object"]);
    expect(shown).toContain("Issues of the tracker.");
    expect(shown).not.toMatch(/Broken words|Use broken/);
  });

  it("[CM-07] 96: a tool that passes itself off as another plugin's reveals nothing", async () => {
    const world = await codeWorld([]);
    const disguised = {
      ...issueTool("issue_list"),
      origin: { source: "plugin", owner: "issues", name: "issue_list" } as const,
    };
    const stranger = definePlugin({
      id: "stranger",
      name: "",
      description: "",
      register: (api) => api.tools.registerTool(disguised as never),
    });
    await world.host.enable({ plugin: stranger, tier: "trusted" });
    const found = world.toolbox.offered(await world.session()).find(({ name }) => name === "issue_list");
    expect(found?.origin).toEqual({ source: "plugin", owner: "stranger", name: "issue_list" });
  });

  it("[CM-07] 93, 94: two plugins cannot have one id, and an ordinary one has none", async () => {
    const world = await codeWorld([]);
    await world.host.enable(trusted(plugin("issues", { namespace: namespace() })));
    await expect(world.host.enable(trusted(plugin("thief", { namespace: namespace(), tools: [] })))).rejects.toThrow(
      "claimed twice",
    );
    await expect(
      world.host.enable({
        plugin: plugin("small", { namespace: namespace({ id: "x" }), tools: [] }),
        tier: "ordinary",
      }),
    ).rejects.toThrow("trusted");
  });

  it("[CM-07] 109: goes with its plugin, also when it failed half-way", async () => {
    const world = await codeWorld([]);
    await world.host.enable(trusted(plugin("issues", { namespace: namespace() })));
    expect(world.host.namespaces.map(({ id, pluginId }) => [id, pluginId])).toEqual([["tracker", "issues"]]);
    await world.host.disable("issues");
    expect(world.host.namespaces).toEqual([]);
    const broken = definePlugin({
      id: "broken",
      name: "",
      description: "",
      register(api) {
        api.tools.registerCodeNamespace(namespace());
        throw new Error("half-way");
      },
    });
    await expect(world.host.enable({ plugin: broken, tier: "trusted" })).rejects.toThrow("half-way");
    expect(world.host.namespaces).toEqual([]);
  });
});

describe("the scope of a namespace", () => {
  const catalog = createCatalog([
    {
      name: "issue_list",
      description: "",
      inputSchema: {},
      kind: "read_only",
      origin: { source: "plugin", owner: "issues", name: "issue_list" },
    },
  ]);
  const place = {
    agentId: "main",
    sessionKey: "ses_1",
    sessionId: "ses_1",
    runId: "cell_1",
    config: {},
    signal: new AbortController().signal,
  };
  async function bound(change: Partial<CodeNamespace>) {
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => void logged.push(line);
    const found = await bindNamespaces([{ ...namespace(change), pluginId: "issues" }], { catalog, place, log });
    return { found, logged };
  }

  it("[CM-07] 103: nested and shared references stay what they are", async () => {
    const { found } = await bound({});
    expect(found[0]?.node).toMatchObject({
      members: [
        ["version", { value: 2 }],
        [
          "issues",
          {
            members: [
              ["list", { call: expect.any(String) }],
              ["find", { call: expect.any(String) }],
            ],
          },
        ],
        ["also", { items: [{ members: [["colour", { value: "red" }]] }, { members: [["again", { same: 3 }]] }] }],
      ],
    });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  it.each([
    ["a function", { run: () => 1 }],
    ["a cycle", cyclic],
    ["a tool that it did not declare", { run: namespaceCall("exec") }],
    ["__proto__", JSON.parse('{"__proto__": 1}')],
    ["constructor", { constructor: 1 }],
    ["an empty name", { "": 1 }],
    ["the separator", { "a\u001fb": 1 }],
  ])("[CM-07] 97, 100, 104, 106, 163: %s hides it, is logged, and the run goes on", async (_what, made) => {
    const { found, logged } = await bound({ createScope: () => made as never });
    expect([found, logged.length]).toEqual([[], 1]);
  });

  it("[CM-07] 97: a scope that throws hides it, and the place says whose run it is", async () => {
    let seen: unknown;
    await bound({ createScope: (given) => ((seen = given), {}) });
    expect(seen).toEqual({ ...place, signal: expect.any(AbortSignal) });
    expect((await bound({ createScope: () => Promise.reject(new Error("no")) })).found).toEqual([]);
  });

  it("[CM-07] 97: a scope that is never made hides it, and the others are there", async () => {
    const ended: boolean[] = [];
    const late = namespace({
      id: "late",
      globalName: "late",
      createScope: ({ signal }) => new Promise(() => signal.addEventListener("abort", () => ended.push(true))),
    });
    const both = [late, namespace()].map((one) => ({ ...one, pluginId: "issues" }));
    const found = await bindNamespaces(both, { catalog, place, log: () => undefined, scopeMsMax: 1 });
    expect([found.map(({ id }) => id), ended]).toEqual([["tracker"], [true]]);
  });

  it("[CM-07] 105: handles become what JSON can say, and never cross", async () => {
    const made = { when: new Date(0), map: new Map([[1, 2]]), bytes: Buffer.from("x"), big: 5n, not: undefined };
    const { found } = await bound({ createScope: () => made as never });
    expect(found[0]?.node).toEqual({
      members: [
        ["when", { value: "1970-01-01T00:00:00.000Z" }],
        ["map", { value: null }],
        ["bytes", { value: null }],
        ["big", { value: "5" }],
        ["not", { value: null }],
      ],
    });
  });

  it.each(["tools", "MCP", "API", "text", "Array", "class", "__x", "a-b", "1a", "then", "setTimeout"])(
    "[CM-07] 107: %s cannot be its global name",
    (globalName) => {
      expect(visibleNamespaces([{ ...namespace({ globalName }), pluginId: "issues" }], catalog)).toEqual([]);
    },
  );
});
