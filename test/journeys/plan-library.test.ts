/** Plans as files and as a library, on one whole gateway. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { startTestGateway, type TestGateway } from "../../src/testing/index.ts";
import { shownCommand } from "../kit/accept-command.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: { agents: { defaults: { planMode: { enabled: true, defaultActive: true } } } },
    script: ({ entries }) => {
      const asked = entries.findLast((entry) => entry.kind === "input")?.text ?? "";
      const title = /Plan: ([^\n]*)/.exec(asked)?.[1];
      if (title === undefined) return { say: "ok" };
      const plan = [{ step: "Change src/pay.ts for #42", status: "pending" }];
      return { calls: [{ tool: "exit_plan_mode", args: { title, plan } }] };
    },
  });
});
afterAll(async () => gateway.stop());

const folder = (): string => join(gateway.home, "agents", "main", "plans");

it("[ST-01] every submission becomes a Markdown file below the agent's folder, by a durable order", async () => {
  const session = await gateway.session();
  await session.say("Plan: Move the payments");
  await session.until("plan.submitted");
  await session.say("/plan revise smaller steps\nPlan: Move the payments");
  await session.until("plan.submitted", 2);
  await session.when(() => readdirSync(folder()).length === 2);
  const names = ["plan-2026-01-05-move-the-payments-2.md", "plan-2026-01-05-move-the-payments.md"];
  expect(readdirSync(folder()).toSorted()).toEqual(names);
  const text = readFileSync(join(folder(), names[1] ?? ""), "utf8");
  expect(text).toContain("Move the payments");
  expect(text).toContain("Change src/pay.ts");
  expect(text).toContain("Revision: 1");
});

it("[ST-01] a folder that cannot be written costs the file alone: people are told, and the plan is approved", async () => {
  const session = await gateway.session();
  mkdirSync(folder(), { recursive: true });
  const taken = [
    "plan-2026-01-05-no-room.md",
    ...Array.from({ length: 98 }, (_, n) => `plan-2026-01-05-no-room-${n + 2}.md`),
  ];
  for (const name of taken) writeFileSync(join(folder(), name), "somebody's");
  await session.say("Plan: No room");
  await session.until("library.file_lost");
  expect((await session.notices()).join("\n")).toContain("this plan has no copy as a file");
  await session.say(shownCommand(await session.view(), "approve"));
  await session.until("plan.approved");
  expect(PlanModeState.parse((await session.view()).slices["planMode"]).now.phase).toBe("executing");
});
