/**
 * What a plugin costs that does nothing: its hook around a call, beside a bare call; thirty of them in a host; and the
 * start of a whole gateway with thirty installed packages, beside the same start without them.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPackages } from "../src/gateway/plugins/packages/packages.ts";
import { createHookRunner } from "../src/plugins/hooks/hook-runner.ts";
import { createCallHooks } from "../src/plugins/hooks/call-hooks.ts";
import { createPluginHost } from "../src/plugins/host.ts";
import { definePlugin, z } from "../src/plugins/sdk.ts";
import { SessionId, TurnId } from "../src/protocol/ids.ts";
import { PluginSettings } from "../src/protocol/plugin/plugin-packages.ts";
import { against, figure, type Group, median } from "./figure.ts";
import { copyOfTree, startOnce } from "./start.ts";

const CALLS = 200_000;
const ROUNDS = 7;
const PLUGINS = 30;
const US_PER_MS = 1_000;

const clock = { now: () => 0, wakeAt: () => () => undefined };
const call = {
  sessionId: SessionId.parse("ses_1"),
  turnId: TurnId.parse("trn_1"),
  agentId: "main",
  sessionKind: "chat",
  callId: "c1",
  tool: "write",
  kind: "file_edit",
  effect: "write",
  args: { path: "src/a.ts", content: "x".repeat(2_000) },
} as const;

const nothing = (): undefined => undefined;

export const plugins: Group = async (report) => {
  const bareUs = await perCall(async () => nothing());
  const none = createCallHooks(createHookRunner({ clock, failed: nothing }));
  report(figure("a call with no hook", await perCall(async () => none.beforeToolCall(call)), "µs"));
  for (const [name, handler] of [
    ["a hook that does nothing", nothing],
    ["a hook that does nothing, as a promise", async () => undefined],
  ] as const) {
    const hooks = createHookRunner({ clock, failed: nothing });
    const registered = { pluginId: "a", hook: "before_tool_call", priority: 0, timeoutMs: 1_000 } as const;
    hooks.add({ ...registered, handler, needs: new Set() });
    const made = createCallHooks(hooks);
    report(against(bareUs, figure(name, await perCall(async () => made.beforeToolCall(call)), "µs")));
  }
  report(figure(`${PLUGINS} plugins enabled`, await loading(), "ms"));
  const { without, having } = await starts();
  report(against(without, figure(`start → ready with ${PLUGINS} installed plugins`, having, "ms")));
};

async function perCall(work: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAtMs = performance.now();
    for (let n = 0; n < CALLS; n++) await work();
    rounds.push(((performance.now() - startedAtMs) * US_PER_MS) / CALLS);
  }
  return median(rounds);
}

/** In this process, with state, a command, a tool, a hook and a card each. */
async function loading(): Promise<number> {
  const host = createPluginHost();
  const startedAtMs = performance.now();
  for (let n = 0; n < PLUGINS; n++) await host.enable({ plugin: ordinary(n), tier: "trusted" });
  return performance.now() - startedAtMs;
}

/** From the sources, one with and one without in turn, so that what else the machine does falls on both. */
async function starts(): Promise<{ without: number; having: number }> {
  const tree = await copyOfTree();
  const entry = join(tree, "bin", "holdpoint.js");
  const plain = await mkdtemp(join(tmpdir(), "holdpoint-plain-"));
  const full = await mkdtemp(join(tmpdir(), "holdpoint-full-"));
  await installAll(full);
  const readyMs = async (home: string): Promise<number> => (await startOnce(entry, home, 0)).readyMs;
  for (const home of [plain, full]) await readyMs(home); // the first one fills the compile cache
  const rounds: { without: number; having: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ without: await readyMs(plain), having: await readyMs(full) });
  for (const folder of [tree, plain, full]) await rm(folder, { recursive: true, force: true });
  return { without: median(rounds.map((one) => one.without)), having: median(rounds.map((one) => one.having)) };
}

/** Agreed to and switched on, as an operator would. */
async function installAll(home: string): Promise<void> {
  const packages = createPackages({ home, settings: () => PluginSettings.parse({}), bundled: [], now: () => 0 });
  const source = await mkdtemp(join(tmpdir(), "holdpoint-source-"));
  for (let n = 0; n < PLUGINS; n++) {
    const from = join(source, `plugin-${n}`);
    await mkdir(from);
    await writeFile(join(from, "holdpoint.plugin.json"), JSON.stringify(manifest(n)));
    await writeFile(join(from, "index.js"), "export default { register() {} };\n");
    const installed = await packages.install({ from, by: "bench" });
    if ("refused" in installed) throw new Error(installed.refused.message);
    const { id, askDigest } = installed.plugin;
    const enabled = await packages.enable({ id, agree: askDigest, by: "bench" });
    if ("refused" in enabled || enabled.plugin.standing !== "ready") throw new Error(`${id} is not ready`);
  }
  await rm(source, { recursive: true, force: true });
}

const manifest = (n: number) => ({
  id: `plugin-${n}`,
  name: `Plugin ${n}`,
  version: "1.0.0",
  description: "For measuring.",
  entry: "index.js",
  sdk: 1,
  needs: ["injections"],
  commands: [{ name: `do-${n}`, description: "Does it.", subcommands: [{ name: "now", description: "at once" }] }],
  tools: [{ name: `tool_${n}`, effect: "read" }],
  hooks: ["before_tool_call"],
  ui: [{ id: "c", surface: "dashboard" }],
});

const ordinary = (n: number) =>
  definePlugin({
    id: `plugin-${n}`,
    name: `Plugin ${n}`,
    description: "for measuring",
    register(api) {
      const schema = z.strictObject({ count: z.int() });
      api.session.state.registerSessionExtension({ namespace: "s", description: "", schema, initial: { count: 0 } });
      api.commands.registerCommand({ name: `do-${n}`, description: "Does it.", handler: async () => ({}) });
      api.tools.registerTool({
        name: `tool_${n}`,
        description: "",
        input: z.strictObject({}),
        kind: "read_only",
        effect: "read",
        run: async () => ({ status: "ok", content: "" }),
      });
      api.on("before_tool_call", () => undefined);
      api.session.controls.registerControlUiDescriptor({ id: "c", surface: "dashboard", label: "C", body: [] });
    },
  });
