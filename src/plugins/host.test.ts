import { describe, expect, it } from "vitest";
import { gateSlice } from "../../test/kit/core.ts";
import { fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import { command, counter, manifest, plugin, tool } from "../../test/kit/plugins.ts";
import { FAILURE_WINDOW_MS, FAILURES_MAX } from "./hooks/error-budget.ts";
import { createPluginHost, loadPlugins, type PluginChange, type PluginHost } from "./host.ts";
import { PluginError } from "./plugin-error.ts";
import { REGISTER_MS_MAX } from "./registration/load.ts";
import { type PluginApi, type PluginCommand, z } from "./sdk.ts";

const ALLOW = { id: "gate", description: "", evaluate: () => ({ verdict: "allow" }) as const };

const WORKER = { slice: "gate", orders: ["ship"], perform: async () => "done" as const };

/** Everything that a host shows of its plugins, by name. */
const shown = (host: PluginHost) => ({
  slices: [...host.slices.keys()],
  worker: host.workerFor("gate", "ship")?.orders ?? [],
  patchFields: [...host.patchFields.keys()],
  tools: host.tools.map(({ name }) => name),
  policies: host.policies.map(({ id }) => id),
  commands: host.commands.list().map(({ spec }) => spec.name),
  promptParts: [...host.promptParts.keys()],
  actions: [...host.actions.keys()],
  descriptors: [...host.descriptors.keys()],
  listens: host.toolHooks.listens?.(),
  metadata: host.metadataOf("read").length,
});

function everything(api: PluginApi<never>): void {
  api.session.registerWorker(WORKER);
  api.session.registerSlice(gateSlice);
  api.session.registerPatchField({
    field: "deploy",
    schema: z.boolean(),
    requiredScopes: [],
    slice: "gate",
    toCommand: () => ({}),
  });
  api.session.state.registerSessionExtension(counter);
  api.session.controls.registerControlUiDescriptor({ id: "card", surface: "dashboard", label: "Card", body: [] });
  api.session.controls.registerSessionAction({
    id: "press",
    description: "",
    schema: z.strictObject({}),
    handler: async () => ({}),
  });
  api.tools.registerTool(tool("deploy"));
  api.tools.registerToolMetadata({ toolName: "read", effect: "write" });
  api.tools.registerTrustedToolPolicy(ALLOW);
  api.commands.registerCommand(command("deploy"));
  api.prompts.registerPart({ id: "part", text: () => "be careful" });
  api.on("before_tool_call", () => undefined);
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PluginError)) throw new Error(`expected a PluginError, got ${String(error)}`);
  return error.problem;
}

describe("a command as the RFC writes it", () => {
  const accept = (name: string): PluginCommand => ({
    name,
    requiredScopes: ["operator.approvals"],
    ownership: "trusted",
    handler: () => ({ message: "Accepted.", continueAgent: true }),
  });

  it("[PG-05] is registered by api.registerCommand, without a description, by a handler that need not be asynchronous", () => {
    const host = loadPlugins([plugin("deploy", (api) => api.registerCommand(accept("deploy")))]);
    expect(host.commands.list().map(({ spec }) => spec)).toEqual([
      {
        name: "deploy",
        description: "The command /deploy.",
        requiredScopes: ["operator.approvals"],
        ownership: "trusted",
      },
    ]);
  });

  it("[PG-05] cannot have a name of two words, and its author reads how it is written here", () => {
    const taker = plugin("taker", (api) => api.registerCommand(accept("plan accept")));
    expect(() => loadPlugins([{ plugin: taker, tier: "trusted", manifest: manifest("taker") }])).toThrow(
      'register "plan" with subcommands: [{ name: "accept", … }]',
    );
  });
});

describe("a host", () => {
  it("[PG-01] shows what a plugin registered while it is enabled, and nothing of it before and after", async () => {
    const host = createPluginHost({ clock: fakeClock() });
    const before = shown(host);
    const changes: PluginChange[] = [];
    host.onChange((change) => changes.push(change));
    await host.enable({ plugin: plugin("deploy", everything), tier: "trusted" });
    expect(shown(host)).toEqual({
      slices: ["plugin:deploy", "gate"],
      worker: ["ship"],
      patchFields: ["deploy"],
      tools: ["deploy"],
      policies: ["deploy/gate"],
      commands: ["deploy"],
      promptParts: ["deploy/part"],
      actions: ["deploy/press"],
      descriptors: ["deploy"],
      listens: true,
      metadata: 1,
    });
    expect(host.disabledCommand("deploy")).toBeUndefined();
    await host.disable("deploy");
    expect(shown(host)).toEqual(before);
    expect(host.disabledCommand("DEPLOY")).toEqual({ pluginId: "deploy" });
    expect(changes).toEqual([
      { kind: "enabled", pluginId: "deploy", tier: "trusted", why: "" },
      { kind: "disabled", pluginId: "deploy", tier: "trusted", why: "an operator switched it off" },
    ]);
  });

  it("[PG-01] takes back everything when loading fails, at whatever point, and goes on", async () => {
    const host = loadPlugins([plugin("first", (api) => api.commands.registerCommand(command("pause")))], {
      clock: fakeClock(),
    });
    const before = shown(host);
    const disposed: string[] = [];
    const failing = (id: string, last: (api: PluginApi<never>) => void | Promise<void>) =>
      plugin(id, (api) => {
        everything(api);
        api.lifecycle.register({ dispose: () => void disposed.push(id) });
        return last(api);
      });
    const fails = async (given: ReturnType<typeof plugin>) =>
      problemOf(host.enable({ plugin: given, tier: "trusted" }));
    const throws = failing("one", () => {
      throw new Error("no");
    });
    expect(await fails(throws)).toBe("failed");
    expect(await fails(failing("two", async () => Promise.reject(new Error("later"))))).toBe("failed");
    expect(await fails(failing("three", (api) => api.commands.registerCommand(command("pause"))))).toBe("taken");
    expect(await fails(failing("four", (api) => api.commands.registerCommand(command("plan"))))).toBe("reserved");
    await quiet();
    expect(shown(host)).toEqual(before);
    expect(disposed).toEqual(["one", "two", "three", "four"]);
    await host.enable({ plugin: plugin("four", everything), tier: "trusted" });
    expect(host.isEnabled("four")).toBe(true);
  });

  it("[PG-01] gives up a plugin that does not come to the end of its registration", async () => {
    const clock = fakeClock();
    const host = createPluginHost({ clock });
    const pending = problemOf(host.enable({ plugin: plugin("slow", () => new Promise(() => undefined)) }));
    await quiet();
    clock.advance(REGISTER_MS_MAX);
    expect(await pending).toBe("failed");
    expect(host.plugins()).toEqual([]);
  });

  it("[PG-04, PG-05] tells apart who is not trusted, what is not declared, and what is taken", async () => {
    const host = createPluginHost({ clock: fakeClock() });
    const ordinary = (register: (api: PluginApi<never>) => void, parts = {}) =>
      problemOf(
        host.enable({ plugin: plugin("guest", register), tier: "ordinary", manifest: manifest("guest", parts) }),
      );
    expect(await ordinary((api) => api.tools.registerTrustedToolPolicy(ALLOW), { policies: ["gate"] })).toBe(
      "not-trusted",
    );
    expect(await ordinary((api) => api.session.registerSlice(gateSlice))).toBe("not-trusted");
    expect(await ordinary((api) => api.session.registerWorker(WORKER))).toBe("not-trusted");
    expect(await ordinary((api) => api.tools.registerCommandJudge(() => ({ reads: false }) as never))).toBe(
      "not-trusted",
    );
    expect(await ordinary((api) => api.tools.registerTool(tool("deploy")))).toBe("not-declared");
    expect(await ordinary((api) => api.commands.registerCommand(command("deploy")))).toBe("not-declared");
    expect(await ordinary((api) => api.on("before_tool_call", () => undefined))).toBe("not-declared");
    expect(await ordinary((api) => api.prompts.registerPart({ id: "x", text: () => "x" }))).toBe("not-declared");
    expect(await ordinary((api) => api.agent.events.subscribe(["*"], () => undefined))).toBe("not-declared");
    const reserved = { commands: [{ name: "plan", description: "x", ownership: "reserved" as const }] };
    expect(await ordinary((api) => api.commands.registerCommand(command("plan")), reserved)).toBe("reserved");
    const twice = { commands: [{ name: "deploy", description: "x" }] };
    const both = (api: PluginApi<never>) => {
      api.commands.registerCommand(command("deploy"));
      api.commands.registerCommand(command("deploy"));
    };
    expect(await ordinary(both, twice)).toBe("taken");
  });

  it.each([
    "plan_mode_resolve",
    "plan_mode.resolve",
    "sessions_patch",
    "sessions.patch",
    "tokens.create",
    "mcp__a__b",
    "plan_mode_x",
  ])(
    "[TO-08, PG-04] leaves names of the gateway to the gateway: no tool is called %s, trusted or not",
    async (name) => {
      const host = createPluginHost();
      const register = (api: PluginApi<never>): void => api.tools.registerTool(tool(name));
      expect(await problemOf(host.enable({ plugin: plugin("evil", register), tier: "trusted" }))).toBe("reserved");
      const declared = manifest("evil", { tools: [{ name, effect: "write" as const }] });
      const ordinary = host.enable({ plugin: plugin("evil", register), tier: "ordinary", manifest: declared });
      expect(await problemOf(ordinary)).toBe("reserved");
      expect(host.tools).toEqual([]);
    },
  );

  it("[PG-04] lets no plugin's tool order about a machine of the house, nor keep state under a name of every object", async () => {
    const host = createPluginHost();
    const decide = {
      name: "decide",
      description: "for tests",
      kind: "read_only" as const,
      effect: "state" as const,
      slice: "planMode",
      input: z.strictObject({}),
      toCommand: async () => ({ command: { type: "decide" } }),
    };
    const enable = (register: (api: PluginApi<never>) => void) =>
      host.enable({ plugin: plugin("evil", register), tier: "trusted" });
    await expect(enable((api) => api.tools.registerTool(decide))).rejects.toMatchObject({ problem: "not-trusted" });
    for (const namespace of ["constructor", "toString", "__proto__"])
      await expect(
        enable((api) => void api.session.state.registerSessionExtension({ ...counter, namespace })),
      ).rejects.toMatchObject({ problem: "invalid" });
    expect(host.plugins()).toEqual([]);
  });

  it("[PG-01] lets a plugin perform the orders of its own machines only, and each kind by one worker", async () => {
    const host = createPluginHost();
    const enable = (...workers: Parameters<PluginApi["session"]["registerWorker"]>[0][]) =>
      problemOf(
        host.enable({
          plugin: plugin("deploy", (api) => {
            api.session.registerSlice(gateSlice);
            for (const worker of workers) api.session.registerWorker(worker);
          }),
          tier: "trusted",
        }),
      );
    expect(await enable({ ...WORKER, slice: "planMode" })).toBe("invalid");
    expect(await enable({ ...WORKER, slice: "plugin:deploy" })).toBe("invalid");
    expect(await enable({ ...WORKER, orders: [] })).toBe("invalid");
    expect(await enable(WORKER, { ...WORKER, orders: ["sail", "ship"] })).toBe("taken");
    expect(host.workerFor("gate", "ship")).toBeUndefined();
  });

  it("[PG-01] no name of a machine makes its worker take orders of another machine", async () => {
    const host = createPluginHost();
    const deeper = plugin("deeper", (api) => {
      api.session.registerSlice({ ...gateSlice, name: "gate/ship" });
      api.session.registerWorker({ ...WORKER, slice: "gate/ship", orders: ["now"] });
    });
    await host.enable({ plugin: deeper, tier: "trusted" });
    expect(host.workerFor("gate/ship", "now")).toBeDefined();
    expect(host.workerFor("gate", "ship/now")).toBeUndefined();
  });

  it("[PG-05] takes a command's scopes from the manifest that people could read, not from the code", async () => {
    const host = createPluginHost({ clock: fakeClock() });
    const declared = { name: "deploy", description: "Deploys.", requiredScopes: ["operator.approvals" as const] };
    await host.enable({
      plugin: plugin("deploy", (api) =>
        api.commands.registerCommand({ ...command("deploy"), requiredScopes: ["operator.read"] }),
      ),
      tier: "ordinary",
      manifest: manifest("deploy", { commands: [declared] }),
    });
    expect(host.commands.get("deploy")?.spec).toEqual(declared);
  });

  it("[PG-01] warns of what a manifest declares and the plugin does not register", async () => {
    const host = createPluginHost({ clock: fakeClock() });
    const parts = {
      commands: [{ name: "deploy", description: "x" }],
      tools: [{ name: "ship", effect: "write" as const }],
      hooks: ["before_tool_call"],
      ui: [{ id: "card", surface: "dashboard" }],
    };
    const load = { plugin: plugin("deploy", () => undefined), tier: "ordinary" as const };
    const { warnings } = await host.enable({ ...load, manifest: manifest("deploy", parts) });
    expect(warnings).toEqual([
      'The command "deploy" is declared and not registered.',
      'The tool "ship" is declared and not registered.',
      'The hook "before_tool_call" is declared and not registered.',
      'The UI descriptor "card" is declared and not registered.',
    ]);
    expect(host.plugins()[0]?.warnings).toEqual(warnings);
  });

  it("[PG-04] lets metadata make a tool stricter and never laxer", async () => {
    const host = createPluginHost({ clock: fakeClock() });
    const laxer = (api: PluginApi<never>) => api.tools.registerToolMetadata({ toolName: "exec", effect: "read" });
    expect(await problemOf(host.enable({ plugin: plugin("laxer", laxer), tier: "trusted" }))).toBe("not-trusted");
    const own = (api: PluginApi<never>) => {
      api.tools.registerTool(tool("ship"));
      api.tools.registerToolMetadata({ toolName: "ship", effect: "read" });
    };
    expect(await problemOf(host.enable({ plugin: plugin("own", own), tier: "trusted" }))).toBe("not-trusted");
  });

  it("[PG-01] parses a plugin's configuration with its own schema, and names what is wrong", async () => {
    const host = createPluginHost({ clock: fakeClock() });
    const seen: unknown[] = [];
    const made = {
      ...plugin("budget", (api) => void seen.push(api.config)),
      configSchema: z.strictObject({ limit: z.int().default(5) }),
    };
    await host.enable({ plugin: made, config: {} });
    expect(seen).toEqual([{ limit: 5 }]);
    const wrong = host.enable({ plugin: { ...made, id: "other" }, config: { limit: "many" } });
    await expect(wrong).rejects.toThrow(/plugins\.entries\.other\.config\.limit/);
  });

  it("[PG-01] does not let a part of the gateway be switched off, nor an id be taken twice", async () => {
    const host = createPluginHost({ clock: fakeClock() });
    host.enableNow({ plugin: plugin("house", () => undefined), permanent: true });
    expect(await problemOf(host.disable("house"))).toBe("permanent");
    expect(await problemOf(host.disable("nobody"))).toBe("unknown");
    expect(await problemOf(host.enable({ plugin: plugin("house", () => undefined) }))).toBe("taken");
  });

  it("[PG-01] leaves a plugin that is off nothing of what it held", async () => {
    const host = createPluginHost({ clock: fakeClock() });
    const kept: PluginApi<never>[] = [];
    await host.enable({ plugin: plugin("guest", (api) => void kept.push(api)) });
    const [api] = kept;
    if (api === undefined) throw new Error("it did not register");
    expect(() => api.commands.registerCommand(command("late"))).toThrow(PluginError);
    await host.disable("guest");
    expect(() => api.agent.events.subscribe(["*"], () => undefined)).toThrow(/switched off/);
    await expect(api.agent.events.emit({ name: "x", sessionKey: "ses_1" })).rejects.toThrow(/switched off/);
    await expect(api.runContext.get("trn_1", "x")).rejects.toThrow(/switched off/);
  });
});

describe("a plugin that keeps failing", () => {
  function failingHost(register: (api: PluginApi<never>) => void) {
    const clock = fakeClock();
    const host = createPluginHost({ clock });
    const changes: string[] = [];
    host.onChange(({ kind, why }) => changes.push(why === "" ? kind : `${kind}: ${why}`));
    host.enableNow({ plugin: plugin("shaky", register), tier: "trusted" });
    return { clock, host, changes };
  }
  const failTimes = (host: PluginHost, times: number) => {
    for (let n = 0; n < times; n++) host.failed("shaky", new Error("again"));
  };

  it("[PG-09] is switched off with a notice when it is beyond its budget, and not before", async () => {
    const { clock, host, changes } = failingHost((api) => api.commands.registerCommand(command("deploy")));
    failTimes(host, FAILURES_MAX);
    clock.advance(FAILURE_WINDOW_MS);
    failTimes(host, FAILURES_MAX);
    expect(host.isEnabled("shaky")).toBe(true);
    failTimes(host, 1);
    await quiet();
    expect(host.isEnabled("shaky")).toBe(false);
    expect(changes).toEqual(["enabled", "disabled: it failed more than 10 times within 60 s"]);
  });

  it("[GA-02, PG-04] keeps its policy when it holds the gate: only its hooks are ended", async () => {
    const { host, changes } = failingHost((api) => {
      api.tools.registerTrustedToolPolicy(ALLOW);
      api.on("before_tool_call", () => undefined);
    });
    expect(host.toolHooks.listens?.()).toBe(true);
    failTimes(host, FAILURES_MAX + 1);
    await quiet();
    expect(host.policies.map(({ id }) => id)).toEqual(["shaky/gate"]);
    expect(host.toolHooks.listens?.()).toBe(false);
    expect(changes.at(-1)).toMatch(/^muted: /);
  });
});
