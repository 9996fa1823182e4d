/** A gateway with a clock of ours and a scripted model, over a given home folder: outside of vitest too, for the recorder. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type RunningGateway, startGateway } from "../../src/gateway.ts";
import { scriptedModel, type ScriptedModel, type ScriptStep } from "../../src/testing/scripted-model.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { deployPlugin } from "../kit/deploy-plugin.ts";

const RECORDED_AT_MS = Date.UTC(2026, 0, 5, 9);

export type World = { gateway: RunningGateway; clock: FakeClock; model: ScriptedModel; texts: Record<string, string> };

export async function openWorld(
  folder: string,
  script: Parameters<typeof scriptedModel>[0],
  atMs = RECORDED_AT_MS,
): Promise<World> {
  const [home, workspace] = [join(folder, "home"), join(folder, "workspace")];
  mkdirSync(workspace, { recursive: true });
  const clock = fakeClock(atMs);
  const model = scriptedModel(script);
  const plugins = [{ plugin: deployPlugin, tier: "trusted" as const }];
  const gateway = await startGateway({ home, workspace, port: 0, log: "silent", model, clock, env: {}, plugins });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  return { gateway, clock, model, texts: { workspace, home, token: gateway.operatorToken } };
}

const STEPS = ["Write greeting.txt", "Read it again"];
export const submit = (title: string, summary = "We write it."): ScriptStep => ({
  calls: [
    {
      tool: "exit_plan_mode",
      args: {
        title,
        summary,
        plan: STEPS.map((step) => ({ step, status: "pending", acceptanceCriteria: [`${step}: done`] })),
      },
    },
  ],
});
export const ask: ScriptStep = {
  calls: [{ tool: "ask_user_question", args: { question: "Which greeting?", options: ["hello", "good day"] } }],
};
export const write: ScriptStep = { calls: [{ tool: "write", args: { path: "greeting.txt", content: "hello\n" } }] };
export const complete: ScriptStep = {
  calls: [
    {
      tool: "update_plan",
      args: {
        merge: true,
        plan: STEPS.map((step) => ({ step, status: "completed", verifiedCriteria: [`${step}: done`] })),
      },
    },
  ],
};
export const say = (text: string): ScriptStep => ({ say: text });

/** What the model answers in the recorded conversation, request by request. */
export const CONVERSATION: readonly ScriptStep[] = [
  ask,
  write,
  submit("Greet"),
  submit("Greet politely", "We write it politely."),
  write,
  say("Written."),
  complete,
  say("Done."),
  submit("Greet again"),
  say("I stop here."),
];
