/** Skills that carry a plan template, and kinds of plans, on one whole gateway: RPC, chat and command line. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { runProgram } from "../../src/cli/program.ts";
import { startTestGateway, type TestGateway, type TestSession } from "../../src/testing/index.ts";

let gateway: TestGateway;
const inputs: string[] = [];
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: {
      skills: { limits: { maxPlanTemplateSteps: 2 } },
      agents: { defaults: { planMode: { enabled: true, defaultActive: true } } },
    },
    script({ entries }) {
      inputs.push(entries.findLast((entry) => entry.kind === "input")?.text ?? "");
      return { say: "ok" };
    },
  });
  const skill = (name: string, more: string): void => {
    const folder = join(gateway.workspace, ".holdpoint", "skills", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), `---\nname: ${name}\ndescription: for tests\n${more}\n---\nText.\n`);
  };
  skill("deploy", "plan-template: [Build, Build, Ship, Tell]");
  skill("mend", "archetype: bug-fix\nplan-template: [Write the failing test, Fix it]");
});
afterAll(async () => gateway.stop());

const nowIn = async (session: TestSession) => PlanModeState.parse((await session.view()).slices["planMode"]).now;
const stepsIn = async (session: TestSession) => (await nowIn(session)).steps.map(({ step }) => step);

it("[ST-05] a draft stands before the first turn: first of its kind, without duplicates, cut, and the agent is told", async () => {
  const session = await gateway.session();
  await session.say("hello");
  await session.until("turn.finished");
  expect(await stepsIn(session)).toEqual(["Build", "Ship"]);
  expect(inputs.at(-1)).toContain("begun with the template of the skill deploy");
  expect(inputs.at(-1)).not.toMatch(/duplicate|truncated|Tell|mend/);
  expect(session.seen("plan.seeded")).toBe(1);
});

it("[ST-05, ST-06] a person lists templates and kinds, and chooses by RPC, in the chat and on the command line", async () => {
  const session = await gateway.session();
  const { id: sessionId } = session;
  const found = await gateway.client.call("plans.templates", { sessionId });
  expect(found).toMatchObject({ archetype: null, seed: null, templates: [{ skill: "deploy" }, { skill: "mend" }] });
  await gateway.client.call("sessions.patch", { sessionId, planArchetype: "bug-fix" });
  await session.say("go");
  await session.until("turn.finished");
  expect(await stepsIn(session)).toEqual(["Write the failing test", "Fix it"]);
  expect(await gateway.client.call("plans.seed", { sessionId, skill: "deploy" })).toEqual({
    skill: "deploy",
    steps: 2,
  });
  await expect(gateway.client.call("plans.seed", { sessionId, skill: "nope" })).rejects.toMatchObject({
    code: "TEMPLATE_NOT_FOUND",
  });
  await session.say("/plan template mend");
  expect(await stepsIn(session)).toEqual(["Write the failing test", "Fix it"]);
  expect(await holdpoint("plan", "template", "--session", sessionId)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("deploy"),
  });
  expect(await holdpoint("plan", "template", "deploy", "--session", sessionId)).toMatchObject({ code: 0 });
  expect(await holdpoint("plan", "archetype", "migration", "--session", sessionId)).toMatchObject({ code: 0 });
  expect((await holdpoint("plan", "archetype", "party", "--session", sessionId)).code).toBe(2);
  expect(await nowIn(session)).toMatchObject({
    cycle: { archetype: { name: "migration" }, seed: { skill: "deploy" } },
    steps: [{ step: "Build" }, { step: "Ship" }],
  });
});

async function holdpoint(...argv: string[]) {
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const { stdin, stdout } = process;
  const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: gateway.home };
  const around = { stdin, terminal: stdout, cwd: gateway.workspace, env };
  const code = await runProgram(argv, { ...around, stdout: stream("stdout"), stderr: stream("stderr") });
  return { code, ...said };
}
