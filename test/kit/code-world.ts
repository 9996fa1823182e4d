/** A session in code mode: everything between a message and a file is real, the sandbox is a plain one. */
import { resolveCodeMode } from "../../src/code-mode/settings.ts";
import { codeModePlugin } from "../../src/code-mode/plugin.ts";
import type { CodeModeChoice } from "../../src/code-mode/protocol/code-mode-config.ts";
import type { CodeModeResult } from "../../src/code-mode/cells/result.ts";
import { planModePlugin } from "../../src/plan-mode/plugin.ts";
import { PlanModeSettings } from "../../src/plan-mode/protocol/settings.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { Plugin } from "../../src/plugins/sdk.ts";
import type { PluginLoad } from "../../src/plugins/host.ts";
import type { ModelRequest } from "../../src/agent/model.ts";
import { byAlice } from "./engine.ts";
import { sessionId } from "./core.ts";
import { plainSandbox } from "./plain-sandbox.ts";
import { type ScriptStep, scriptedModel } from "./scripted-model.ts";
import { turnWorld, type TurnWorldGiven } from "./turn-world.ts";

export type CodeWorldGiven = Partial<Omit<TurnWorldGiven, "model" | "plugins">> & {
  codeMode?: CodeModeChoice;
  planMode?: object;
  plugins?: readonly (Plugin | PluginLoad)[];
  sandbox?: ReturnType<typeof plainSandbox>;
};

type Script = readonly ScriptStep[] | ((request: ModelRequest, number: number) => ScriptStep);

export async function codeWorld(script: Script, given: CodeWorldGiven = {}) {
  const { codeMode = true, planMode = {}, plugins = [], sandbox = plainSandbox(), ...rest } = given;
  const model = scriptedModel(script);
  const settings = rest.settings ?? {
    planMode: PlanModeSettings.parse({ enabled: true, ...planMode }),
    codeMode: resolveCodeMode({ tools: { codeMode }, agent: undefined }),
  };
  const bundled = [planModePlugin, codeModePlugin({ makeSandbox: async () => sandbox })].map((plugin) => ({
    plugin,
    permanent: true,
  }));
  const world = turnWorld({ ...rest, model, settings, plugins: [...bundled, ...plugins] });
  if (rest.store === undefined) await world.open();
  const planState = async () => PlanModeState.parse((await world.session()).slices["planMode"]);
  const patch = async (command: object) => {
    const order = { type: "slice.apply", slice: "planMode", command } as never;
    const outcome = await world.engine.dispatch(sessionId, order, byAlice);
    if (!outcome.ok) throw new Error(`${outcome.refusal.code} ${outcome.refusal.message}`);
    await world.settle();
  };
  return {
    ...world,
    model,
    sandbox,
    requests: () => model.requests,
    async say(text: string) {
      await world.send(text);
      return world.settle();
    },
    planState,
    enterPlan: () => patch({ type: "enter", reason: "" }),
    approve: async () => {
      const { now } = await planState();
      if (now.phase !== "pending") throw new Error(`no plan waits: ${now.phase}`);
      await patch({ type: "decide", approval: { action: "approve", approvalId: now.submission.approvalId } });
    },
    answer: async (answer: string) => {
      const { question } = await planState();
      if (question === null) throw new Error("no question waits");
      await patch({ type: "decide", approval: { action: "answer", approvalId: question.approvalId, answer } });
    },
  };
}

export type CodeWorld = Awaited<ReturnType<typeof codeWorld>>;

/** The last result of `exec` or `wait`. */
export async function resultOf(world: Pick<CodeWorld, "entries">, tool: "exec" | "wait"): Promise<CodeModeResult> {
  const found = (await world.entries()).findLast((entry) => entry.kind === "result" && entry.tool === tool);
  if (found?.kind !== "result") throw new Error(`no result of ${tool}`);
  return found.content as CodeModeResult;
}
