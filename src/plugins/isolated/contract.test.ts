/** What a plugin can do is the same inside the gateway and in a process of its own: one suite for both. */
import { readFileSync, realpathSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { pluginWorld, type PluginWorld } from "../../../test/kit/plugin-world.ts";
import { importPlugin } from "../../gateway/plugins/import-plugin.ts";
import { folderDigests } from "../packages/folder-files.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { ToolContext } from "../tool.ts";
import type { PluginLoad } from "../host.ts";
import { parseManifest } from "../packages/manifest.ts";
import { type IsolatedPlugin, isolatedPlugin } from "./isolated-plugin.ts";

const folder = realpathSync(new URL("../../../test/kit/plugins/contract", import.meta.url));
const read = parseManifest(readFileSync(`${folder}/holdpoint.plugin.json`, "utf8"));
if (!read.ok) throw new Error(read.problem);
const { manifest } = read;
const { files } = await folderDigests(folder);

const started: IsolatedPlugin[] = [];
afterEach(async () => {
  for (const plugin of started.splice(0)) await plugin.end();
});

type Way = (config: JsonObject, world: PluginWorld) => PluginLoad;
const inside: Way = (config) => {
  const plugin = importPlugin({ folder, entry: manifest.entry, id: manifest.id, files });
  return { plugin, tier: "ordinary", manifest, config };
};
const apart: Way = (config, { host }) => {
  const trouble = (reason: Error): void => host.failed(manifest.id, reason);
  const plugin = isolatedPlugin({ manifest, folder, config, clock: Date, trouble, limits: { pingMs: 300 } });
  started.push(plugin);
  return { plugin, tier: "ordinary", manifest, config };
};
const WAYS: [string, Way][] = [
  ["inside the gateway", inside],
  ["in a process of its own", apart],
];

describe.each(WAYS)("a plugin %s", (_name, way) => {
  async function loaded(config: JsonObject = {}): Promise<PluginWorld> {
    const world = await pluginWorld();
    await world.host.enable(way(config, world));
    return world;
  }
  const context = (changes: Partial<ToolContext> = {}): ToolContext =>
    ({
      sessionId: "ses_1",
      turnId: "trn_1",
      callId: "call_1",
      workspace: "/w",
      signal: new AbortController().signal,
      emit: () => undefined,
      ...changes,
    }) as ToolContext;

  it("[PG-01] gets its settings, parsed by its own schema, and cannot be loaded with others", async () => {
    const world = await loaded({ greeting: "ahoy" });
    const at = await world.open("a");
    expect(await world.command(at, "greet")).toEqual({ ok: true, message: "ahoy Alice, I am contract (ordinary)" });
    const other = await pluginWorld();
    await expect(other.host.enable(way({ greeting: "NO" }, other))).rejects.toThrow(/contract|greeting/);
    expect(other.host.commands.list()).toEqual([]);
  });

  it("[PG-02] changes its state and queues text in one commit, and shows what it projects", async () => {
    const world = await loaded();
    const at = await world.open("a");
    expect(await world.command(at, "count")).toEqual({ ok: true, message: "1" });
    expect(await world.command(at, "count")).toEqual({ ok: true, message: "2" });
    const session = await world.engine.session(at);
    expect(session?.slices["plugin:contract"]).toEqual({
      version: 2,
      values: { count: { n: 2 } },
      shown: { count: { shown: 20 } },
    });
    expect(session?.injections.map(({ text }) => /counted to \d|ran \/contract/.exec(text)?.[0])).toEqual([
      "ran /contract",
      "counted to 1",
      "ran /contract",
      "counted to 2",
    ]);
    expect(session === undefined ? undefined : world.host.projections(session)).toEqual({
      contract: { count: { shown: 20 } },
    });
  });

  it("[PG-06] always resumes the agent when it asks for it: the turn begins with who ran what", async () => {
    const world = await loaded();
    const at = await world.open("a");
    expect(await world.command(at, "resume")).toEqual({ ok: true, message: "on it" });
    const session = await world.engine.session(at);
    expect(session?.turn.status).toBe("requested");
    expect(session?.injections.map(({ text }) => text)).toEqual([
      "[PLUGIN_COMMAND contract]\nAlice ran /contract resume.\n[/PLUGIN_COMMAND]",
    ]);
    const other = await world.open("b");
    expect(await world.action(other, { by: 7 })).toEqual({ ok: true, message: "added 7" });
    const pressed = await world.engine.session(other);
    expect([pressed?.turn.status, pressed?.injections.map(({ text }) => text)]).toEqual([
      "requested",
      ["[PLUGIN_COMMAND contract]\nAlice ran contract/add.\n[/PLUGIN_COMMAND]"],
    ]);
  });

  it.each([
    ["nothing", "expected an object, got undefined"],
    ["null", "expected an object, got null"],
    ["text", "expected an object, got a string"],
    ["odd", "message: Invalid input: expected string, received number"],
    ["nowhere", 'delivery: Invalid option: expected one of "ephemeral"|"channel"|"silent"'],
    ["maybe", "continueAgent: Invalid input: expected boolean, received string"],
  ])("[PG-06] that answers %s has failed, with the reason, and changes nothing", async (order, reason) => {
    const world = await loaded();
    const at = await world.open("a");
    const answer = await world.command(at, order);
    expect(answer).toMatchObject({ ok: false, refusal: { code: "PLUGIN_FAILED" } });
    expect(answer).toHaveProperty("refusal.message", expect.stringContaining(reason));
    expect(world.reported.join()).toContain(reason);
    expect(await world.action(at, { by: 99 })).toMatchObject({ ok: false, refusal: { code: "PLUGIN_FAILED" } });
    expect((await world.engine.session(at))?.slices["plugin:contract"]).toEqual({ version: 0, values: {} });
  });

  it("[PG-02] stores nothing that its schema refuses", async () => {
    const world = await loaded();
    const at = await world.open("a");
    expect(await world.command(at, "toomuch")).toMatchObject({ ok: false });
    expect((await world.engine.session(at))?.slices["plugin:contract"]).toEqual({ version: 0, values: {} });
  });

  it("[PG-02] updates its state outside of commands, each update on top of the one before", async () => {
    const world = await loaded();
    const at = await world.open("a");
    await Promise.all([world.command(at, "update"), world.command(at, "update"), world.command(at, "update")]);
    expect((await world.engine.session(at))?.slices["plugin:contract"]).toMatchObject({ values: { count: { n: 15 } } });
  });

  it("[PG-07] answers actions, whose parameters are checked first", async () => {
    const world = await loaded();
    const at = await world.open("a");
    expect(await world.action(at, { by: 3 })).toEqual({ ok: true, message: "added 3" });
    expect(await world.action(at, { by: 0 })).toEqual({ ok: false, bad: true });
    expect(await world.action(at, { by: 1, to: 2 })).toEqual({ ok: false, bad: true });
    expect(world.host.descriptors.get("contract")).toEqual([
      {
        id: "badge",
        surface: "session-header",
        label: "Count",
        body: [{ kind: "badge", text: { path: "count.shown" } }],
      },
    ]);
  });

  it("[PG-03] queues text for the next turn", async () => {
    const world = await loaded();
    const at = await world.open("a");
    expect(await world.command(at, "inject")).toEqual({ ok: true, message: "true" });
    expect((await world.engine.session(at))?.injections.map(({ id }) => id)).toEqual(["plugin:contract:one"]);
  });

  it("[PG-08] emits events of its own, keeps values only for a run that is under way, and is refused what it did not ask for", async () => {
    const world = await loaded();
    const at = await world.open("a");
    expect(await world.command(at, "emit")).toEqual({ ok: true, message: "true" });
    expect(world.told).toMatchObject([{ sessionId: at, event: "plugin.contract.said", payload: { data: { a: 1 } } }]);
    expect(await world.command(at, "context")).toMatchObject({ ok: false });
    expect(world.reported.join()).toMatch(/the run run_1 is not under way/);
    expect(await world.command(at, "schedule")).toMatchObject({ ok: false, refusal: { code: "PLUGIN_FAILED" } });
    expect(world.reported.join()).toMatch(/does not ask for "schedule"/);
  });

  it("[PG-09] makes calls stricter by a hook; one that fails is counted and lets nothing pass", async () => {
    const world = await loaded();
    const call = {
      sessionId: "ses_1",
      turnId: "trn_1",
      agentId: "main",
      sessionKind: "chat",
      callId: "c",
      kind: "bash",
      effect: "write",
    };
    const ask = (tool: string, path: string) =>
      world.host.toolHooks.beforeToolCall({ ...call, tool, args: { path } } as never);
    expect(await ask("ls", "/")).toEqual({ verdict: "pass" });
    expect(await ask("rm", "/x")).toEqual({ verdict: "block", reason: "no rm of /x", by: "contract" });
    expect(await ask("ls", "throw")).not.toEqual({ verdict: "pass" });
    expect(world.reported.join()).toMatch(/hook broke/);
  });

  it("[PG-04] runs tools: arguments checked, output streamed, the context passed on", async () => {
    const world = await loaded();
    const tool = world.shelf.get("contract_read");
    if (tool?.effect !== "read") throw new Error("no tool");
    const chunks: string[] = [];
    const output = await tool.run(
      { word: "holdpoint" } as never,
      context({ emit: (chunk) => void chunks.push(chunk) }),
    );
    expect(output).toEqual({ status: "ok", content: { word: "holdpoint", workspace: "/w", callId: "call_1" } });
    expect(chunks).toEqual(["looking up holdpoint"]);
    expect(tool.input.safeParse({ word: "x" }).success).toBe(false);
    expect(tool.input.safeParse({ word: "holdpoint", extra: 1 }).success).toBe(false);
  });

  it("[PG-04] stops a tool that is told to stop", async () => {
    const world = await loaded();
    const tool = world.shelf.get("contract_write");
    if (tool?.effect !== "write") throw new Error("no tool");
    const stop = new AbortController();
    const running = tool.run({} as never, context({ signal: stop.signal }), {} as never).catch(() => "stopped");
    stop.abort();
    expect(["stopped", { status: "error", content: "stopped" }]).toContainEqual(await running);
  });

  it("[PG-01] that throws, or answers nonsense, is counted, told and contained", async () => {
    const world = await loaded();
    const at = await world.open("a");
    expect(await world.command(at, "refuse")).toEqual({
      ok: false,
      refusal: { code: "COMMAND_USAGE", message: "Not so." },
    });
    expect(await world.command(at, "throw")).toMatchObject({ ok: false, refusal: { code: "PLUGIN_FAILED" } });
    expect(world.reported.join()).toMatch(/broken on purpose/);
    expect(await world.command(at, "nothing-of-the-kind")).toMatchObject({
      ok: false,
      refusal: { code: "PLUGIN_FAILED" },
    });
    expect(await world.command(at, "greet")).toMatchObject({ ok: true });
  });

  it("[PG-01] leaves nothing behind when it is switched off", async () => {
    const world = await loaded();
    await world.host.disable("contract");
    const { host } = world;
    expect([
      host.commands.list(),
      host.tools,
      [...host.actions],
      [...host.descriptors],
      [...world.shelf],
      host.isEnabled("contract"),
    ]).toEqual([[], [], [], [], [], false]);
    expect(host.disabledCommand("contract")).toEqual({ pluginId: "contract" });
  });

  it("[PG-01] that declares less than it registers is not loaded at all", async () => {
    const world = await pluginWorld();
    const load = way({}, world);
    await expect(world.host.enable({ ...load, manifest: { ...manifest, tools: [] } })).rejects.toThrow(
      /contract_read.*does not declare/,
    );
    expect([world.host.commands.list(), [...world.shelf]]).toEqual([[], []]);
  });
});
