import { expect, it } from "vitest";
import { agent, alice, planSession, system } from "../../../test/kit/plan-session.ts";
import type { PluginApi } from "../../plugins/sdk.ts";
import { statusText } from "../machine/text/status-text.ts";
import { PlanModeCommand } from "../protocol/command.ts";
import type { SkillTemplate } from "../protocol/template/skill-template.ts";
import { seedBeforeTurns } from "./seed-before-turns.ts";

type Api = Parameters<typeof seedBeforeTurns>[0];
const FORTY_NINE = Array.from({ length: 49 }, (_, at) => ({ step: `Step ${at}` }));
const TEMPLATES: readonly SkillTemplate[] = [
  { skill: "apt", steps: [...FORTY_NINE, { step: "Step 0" }, { step: "Last" }, { step: "Too much" }] },
  { skill: "zoo", steps: [{ step: "Feed" }] },
];

/** The real machine of a session behind the calls that plan mode makes as a plugin. */
function seeding(templates: readonly SkillTemplate[]) {
  const session = planSession();
  const logged: Parameters<PluginApi["log"]>[] = [];
  let looks = 0;
  let prepare: (() => unknown) | undefined;
  const api = {
    on: (_hook: string, handler: (event: { sessionKey: string }) => unknown) =>
      void (prepare = () => handler({ sessionKey: "ses_one" })),
    sessions: {
      read: async () => session.session(),
      async dispatch(_key: string, command: unknown) {
        const taken = session.apply(PlanModeCommand.parse(command), system);
        return "refused" in taken ? { ok: false, refusal: taken.refused } : { ok: true, reply: taken.reply };
      },
    },
    log: (...line: Parameters<PluginApi["log"]>) => void logged.push(line),
  } as unknown as Api;
  seedBeforeTurns(api, async () => {
    looks += 1;
    return templates;
  });
  return { session, logged, looks: () => looks, turn: async () => prepare?.() };
}

it("[ST-05, GW-07] the log is told what was left out: other skills, duplicates, and what is longer than 50 steps; the agent is not", async () => {
  const { session, logged, turn } = seeding(TEMPLATES);
  session.must({ type: "enter", reason: "" }, alice);
  await turn();
  const of = { sessionKey: "ses_one", skill: "apt" };
  expect(logged).toEqual([
    ["warn", "skill_plan_template_collision", { ...of, rejected: ["zoo"] }],
    ["warn", "skill_plan_template_duplicates", { ...of, dropped: ["Step 0"] }],
    ["warn", "skill_plan_template_truncated", { ...of, truncated: 1, maxSteps: 50 }],
  ]);
  expect(session.state().now.steps).toHaveLength(50);
  const toAgent = JSON.stringify([statusText(session.state()), session.session().injections]);
  expect(toAgent).toContain("template of the skill apt");
  expect(toAgent).not.toMatch(/zoo|duplicate|Too much|truncated/);
});

it("[ST-05] skills are looked for before the first turn of a draft, and not once it has begun", async () => {
  const { session, looks, turn } = seeding([{ skill: "apt", steps: [{ step: "Update" }] }]);
  await turn();
  expect(looks()).toBe(0); // nobody plans
  session.must({ type: "enter", reason: "" }, alice);
  await turn();
  await turn();
  expect([looks(), session.state().now.steps]).toMatchObject([1, [{ step: "Update" }]]);
  const plan = [{ step: "Look", status: "pending" as const }];
  session.must({ type: "update", patch: { plan } }, agent);
  await turn();
  expect(looks()).toBe(1);
});
