/**
 * Code mode: the model is shown `exec` and `wait` and calls its tools from small programs. While it is off nothing but
 * this file, its settings and its machine is loaded.
 */
import { byOperator } from "../protocol/actor.ts";
import { JsonObject } from "../protocol/json.ts";
import { definePlugin, methodsOf, type Plugin, type PluginApi, type ReadTool, type Tool } from "../plugins/sdk.ts";
import type { Cells } from "./cells/cells.ts";
import { programWords, reconcileProgram } from "./cells/program.ts";
import { EXEC_CONTROL, WAIT_CONTROL } from "./control-names.ts";
import { CODE_METHODS } from "./protocol/code-methods.ts";
import { codeModeSlice, FORGET_SNAPSHOT } from "./machine/slice.ts";
import { codeModeProtocol } from "./protocol/index.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import type { chooseByCost } from "./surface/choose-surface.ts";
import { CODE_MODE_SLICE, CodeModeSettings, codeModeSettings, debuggedBy } from "./settings.ts";
import { ENGLISH } from "./texts/en.ts";

/** The largest output that settings allow, with what stands around it. */
const RESULT_CHARS_MAX = 11_000_000;

type MakeSandbox = (api: PluginApi) => Promise<Sandbox>;

async function ownSandbox(api: PluginApi): Promise<Sandbox> {
  const { createSandbox } = await import("./sandbox/create-sandbox.ts");
  return createSandbox({ processes: api.processes, key: await api.secretKey() });
}

type Given = {
  /** What runs the cells, where that is another than ours. */
  makeSandbox?: MakeSandbox;
  /** Says what is logged for debugging. */
  env?: Readonly<Record<string, string | undefined>>;
};

export function codeModePlugin({ makeSandbox = ownSandbox, env = {} }: Given = {}): Plugin {
  return definePlugin({
    id: codeModeProtocol.id,
    name: ENGLISH.plugin_code_mode,
    description: ENGLISH.about_code_mode,
    register(api) {
      const parts = lateParts(api, makeSandbox);
      api.session.registerSlice(codeModeSlice);
      api.settings.register(codeModeSettings);
      api.session.registerWorker({
        slice: CODE_MODE_SLICE,
        orders: [FORGET_SNAPSHOT],
        async perform(order) {
          const { runId } = JsonObject.parse(order);
          if (typeof runId === "string") await api.blobs.remove({ key: runId });
          return "done";
        },
      });
      api.tools.registerCatalogProjection({
        controls: controlsOf(parts.cells),
        async choose(run) {
          const settings = debuggedBy(CodeModeSettings.parse(run.settings[CODE_MODE_SLICE]), env);
          const isOn = run.before === undefined ? settings.enabled : run.before === "projection";
          if (!isOn) return { surface: "catalog" };
          const surface = await parts.surface();
          return surface.chooseByCost(run, settings, {
            namespaces: () => api.tools.catalog.namespaces(),
            isReady: parts.isReady,
            log: api.log,
          });
        },
      });
      const methods = methodsOf(CODE_METHODS, {
        "code.run": async (program, { actor }) => (await parts.cells()).lend(program, byOperator(actor)),
      });
      for (const method of methods) api.methods.register(method);
      api.lifecycle.register({ dispose: parts.stop });
    },
  });
}

export const startPlugin = (): Plugin => codeModePlugin({ env: process.env });

/** Loaded and started when a run first needs it. */
function lateParts(api: PluginApi, makeSandbox: MakeSandbox) {
  let sandbox: Promise<Sandbox> | undefined;
  let cells: Promise<Cells> | undefined;
  let surface: Promise<{ chooseByCost: typeof chooseByCost }> | undefined;
  const started = (): Promise<Sandbox> => (sandbox ??= makeSandbox(api));
  return {
    cells: (): Promise<Cells> =>
      (cells ??= import("./cells/cells.ts").then(({ createCells }) => createCells({ api, sandbox: started }))),
    surface: () => (surface ??= import("./surface/choose-surface.ts")),
    async isReady(): Promise<boolean> {
      try {
        return await (await started()).warm();
      } catch (error) {
        sandbox = undefined;
        api.log("error", "the sandbox of code cells cannot be started", { why: String(error).slice(0, 500) });
        return false;
      }
    },
    async stop(): Promise<void> {
      await (await sandbox)?.stop();
    },
  };
}

/** They read as far as the gate is concerned: each call that a program makes is judged by itself. */
function controlsOf(cells: () => Promise<Cells>): Tool[] {
  const shared = {
    effect: "read",
    kind: "read_only",
    input: JsonObject,
    description: "",
    resultCharsMax: RESULT_CHARS_MAX,
  } as const;
  const exec: ReadTool<JsonObject> = {
    ...shared,
    name: EXEC_CONTROL,
    hookWords: programWords,
    reconcile: reconcileProgram,
    run: async (args, context) => (await cells()).exec(args, context),
  };
  const wait: ReadTool<JsonObject> = {
    ...shared,
    name: WAIT_CONTROL,
    run: async (args, context) => (await cells()).wait(args, context),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a tool parses its own arguments, so their type may be forgotten
  return [exec, wait] as unknown as Tool[];
}
