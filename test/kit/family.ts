/** A session with sub-agents: the parent and all of its children play scripts over the real turn loop. */
import { subAgentsPlugin } from "../../src/agent/sub-agents/plugin.ts";
import { planModePlugin } from "../../src/plan-mode/plugin.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { PlanModeSettings } from "../../src/protocol/plan-mode.ts";
import { SUB_AGENTS_SLICE, SubAgentsState } from "../../src/protocol/sub-agents.ts";
import { sessionId } from "./core.ts";
import { scriptedModel, type ScriptStep } from "./scripted-model.ts";
import { turnWorld, type TurnWorldGiven } from "./turn-world.ts";

export const PLAN_MODE = PlanModeSettings.parse({ enabled: true });
export const spawn = (task: string): ScriptStep => ({
  calls: [{ tool: "sessions_spawn", args: { task, title: task } }],
});
export const write: ScriptStep = { calls: [{ tool: "write", args: { path: "out.txt", content: "x" } }] };

/** The parent plays one script, all children another; each takes its next step at each request. */
export function family(
  scripts: { parent: ScriptStep[]; child: ScriptStep[] },
  given: Omit<TurnWorldGiven, "model"> = {},
) {
  const steps = { parent: [...scripts.parent], child: [...scripts.child] };
  const model = scriptedModel(({ sessionId: id }) => {
    const step = (id === sessionId ? steps.parent : steps.child).shift();
    if (step === undefined) throw new Error(`no step left for ${id}`);
    return step;
  });
  const settings = { planMode: PLAN_MODE, ...given.settings };
  const made = turnWorld({ plugins: [planModePlugin, subAgentsPlugin], ...given, settings, model });
  const children = async () => SubAgentsState.parse((await made.session()).slices[SUB_AGENTS_SLICE]).children;
  const childId = async (): Promise<SessionId> => {
    const [child] = await children();
    if (child === undefined) throw new Error("no child");
    return child.id;
  };
  const results = async (id?: SessionId) =>
    (await made.entries(id)).flatMap((entry) => (entry.kind === "result" ? [`${entry.tool}: ${entry.status}`] : []));
  const plan = async (command: object) =>
    made.must({ type: "slice.apply", slice: "planMode", command: command as never });
  return { ...made, model, children, childId, results, plan };
}
