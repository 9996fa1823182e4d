/** One plan on a gateway of its own: a write is held, the plan submitted, approved, carried out and completed. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { systemClock } from "../../engine/clock.ts";
import { findAction } from "../../protocol/card/availability.ts";
import { approvalIn } from "../../protocol/card/card.ts";
import { JsonObject } from "../../protocol/json.ts";
import { planOverview } from "../../plan-mode/protocol/plan-overview.ts";
import { readPlan } from "../../plan-mode/read-plan.ts";
import { startTestGateway, type TestGateway } from "../../testing/test-gateway.ts";
import type { ScriptStep } from "../../testing/scripted-model.ts";
import type { TestSession } from "../../testing/test-session.ts";
import type { Step } from "./self-test.ts";

const FILE = "self-test.txt";
const TEXT = "Holdpoint was here.\n";
const STEP = `Write ${FILE}`;
const CRITERION = `${FILE} is there`;

const write: ScriptStep = { calls: [{ tool: "write", args: { path: FILE, content: TEXT } }] };
const SCRIPT: readonly ScriptStep[] = [
  write, // before anybody approved: must be held
  {
    calls: [
      {
        tool: "exit_plan_mode",
        args: { title: "Self-test", plan: [{ step: STEP, status: "pending", acceptanceCriteria: [CRITERION] }] },
      },
    ],
  },
  write,
  {
    calls: [
      {
        tool: "update_plan",
        args: { merge: true, plan: [{ step: STEP, status: "completed", verifiedCriteria: [CRITERION] }] },
      },
    ],
  },
  { say: "Done." },
];

export type SelfTestPlace = { config: Config; step: Step; notes: string[]; signal: AbortSignal };

export async function playOnePlan({ config, step, notes, signal }: SelfTestPlace): Promise<void> {
  const cut = aborted(signal);
  const inTime = <Result>(work: Promise<Result>): Promise<Result> => Promise.race([work, cut]);
  if (config.agents.defaults.planMode.enabled === false)
    notes.push("Plan mode is switched off in the configuration; it was on for this test.");
  const gateway = await step("start", () =>
    inTime(startTestGateway({ settings: settingsOf(config), script: SCRIPT, clock: systemClock })),
  );
  try {
    await play(gateway, (name, work) => step(name, () => inTime(work())));
  } finally {
    await step("clean", async () => {
      await gateway.stop();
      if (existsSync(gateway.home)) throw new Error(`${gateway.home} is still there`);
    });
  }
}

async function play(gateway: TestGateway, step: Step): Promise<void> {
  const session = await step("enter", async () => {
    const made = await gateway.session();
    await made.run("/plan on");
    return made;
  });
  await step("hold", async () => {
    await session.say("Play the self-test.");
    await session.until("call.refused");
    if (existsSync(join(gateway.workspace, FILE))) throw new Error("a write was not held before the approval");
  });
  await step("submit", () => session.until("plan.submitted"));
  await step("approve", () => approve(session));
  await step("execute", async () => {
    await session.atRest();
    const text = await readFile(join(gateway.workspace, FILE), "utf8").catch(() => undefined);
    if (text !== TEXT) throw new Error(await whyNotWritten(session));
  });
  await step("complete", async () => {
    const { completed } = overviewOf((await session.view()).slices);
    if (completed === undefined || completed === null) throw new Error("the plan was not completed");
  });
  await step("audit", async () => {
    const { verdict } = await gateway.client.call("audit.verify", {});
    if (!verdict.intact) throw new Error(`the audit chain is broken: ${verdict.reason}`);
  });
}

/** By the code on the card, as a person who has read it does. */
async function approve(session: TestSession): Promise<void> {
  const card = approvalIn((await session.view()).cards ?? []);
  const command = card === undefined ? undefined : findAction(card, "approve")?.command;
  if (command === undefined) throw new Error("there is no card to approve on");
  await session.run(command);
  await session.until("plan.approved");
}

async function whyNotWritten(session: TestSession): Promise<string> {
  const result = (await session.results()).findLast(({ tool }) => tool === "write");
  return `the file was not written: ${result === undefined ? "the tool was not called" : JSON.stringify(result.content)}`;
}

const overviewOf = (slices: Readonly<Record<string, unknown>>) => {
  const state = readPlan(slices);
  if (state === undefined) throw new Error("the state of plan mode cannot be read");
  return planOverview(state);
};

/** The configuration in force, without what reaches beyond this machine, and without other people's signatures. */
function settingsOf(config: Config): JsonObject {
  const { planMode } = config.agents.defaults;
  const defaults = {
    ...config.agents.defaults,
    planMode: { ...planMode, enabled: true, defaultActive: false, approvals: undefined },
    heartbeat: undefined,
  };
  const { tools, logging } = config;
  // what JSON cannot hold was not in the file either
  return JsonObject.parse(JSON.parse(JSON.stringify({ tools, logging, agents: { defaults } })));
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener(
      "abort",
      () => reject(signal.reason instanceof Error ? signal.reason : new Error("aborted")),
      {
        once: true,
      },
    );
  });
