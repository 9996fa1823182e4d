/** A realistic plan while it runs and after it: what is claimed and what is proven, and how it stands, wherever it is shown. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { PlanStep } from "../../src/plan-mode/protocol/plan.ts";
import { browserTest, openWorld, PATIENT } from "./page-world.ts";
import { realisticPlan } from "./realistic-plans.ts";

const CHECK: PlanStep = {
  step: "Run `sh check.sh` and **keep** its report",
  status: "pending",
  acceptanceCriteria: ["`sh check.sh` exits with 0", "The report is _complete_"],
};
const CRITERION = "The report is there";
const PROVEN = {
  step: "Look at the report",
  acceptanceCriteria: [{ criterion: CRITERION, proof: { by: "command", command: "sh look.sh" } }],
};
const incident = realisticPlan("incident");
const plan = { ...incident, plan: [...incident.plan, CHECK] };
const closed = ({ step, acceptanceCriteria = [] }: PlanStep): JsonObject => ({
  step,
  status: "completed",
  verifiedCriteria: acceptanceCriteria,
});

const LAST: PlanStep = { step: PROVEN.step, status: "pending", acceptanceCriteria: [CRITERION] };

type Proven = { page: Page; address: string; number: number };

/** What proves the last criterion, the way to its call, and from there back. */
async function provenIn({ page, address, number }: Proven): Promise<void> {
  const step = page.locator(`hp-plan-document #step-${number}`);
  await step.scrollIntoViewIfNeeded();
  await expect.poll(() => step.locator(".proof").innerText(), PATIENT).toMatch(/proven[^]*sh look\.sh · exit code 0/);
  const failing = page.locator(`hp-plan-document #step-${number - 1}`).getByRole("link", { name: "1 call failed" });
  expect(await failing.count()).toBe(1);
  await step.getByRole("link", { name: "Show the call" }).click();
  await page.waitForURL(/\/run#call-/);
  const call = page.locator("hp-run-panel .calls li", { hasText: "sh look.sh" });
  await call.getByRole("link", { name: `Evidence for: ${CRITERION}` }).click();
  const criterion = page.locator("hp-run-panel .criterion.proven", { hasText: CRITERION });
  await criterion.getByText("End of the output").click();
  expect(await criterion.locator("pre").innerText()).toBe("report.md");
  await page.goto(`${address}/changes`);
  await page.getByRole("link", { name: `Evidence for: ${CRITERION}` }).click();
  await page.waitForURL(/\/plan#step-/);
}

describe("a plan that was carried out", () => {
  browserTest("[UI-12] [UI-14] shows what was claimed beside what was run, and its present state", async () => {
    const finish = Promise.withResolvers<void>();
    const world = await openWorld({
      planMode: { defaultActive: true },
      files: { "check.sh": "echo broken\nexit 3\n", "look.sh": "ls report.md\n" },
      script: [
        { calls: [{ tool: "exit_plan_mode", args: { ...plan, plan: [...plan.plan, PROVEN] } }] },
        { calls: [{ tool: "update_plan", args: { merge: true, plan: [{ ...CHECK, status: "in_progress" }] } }] },
        { calls: [{ tool: "exec", args: { command: "sh check.sh" } }] },
        { calls: [{ tool: "write", args: { path: "report.md", content: "# Report\n\n- one\n" } }] },
        {
          calls: [{ tool: "update_plan", args: { merge: true, plan: [closed(CHECK)] } }],
        },
        {
          say: "Checked.",
          until: finish.promise,
          calls: [{ tool: "update_plan", args: { merge: true, plan: [{ step: PROVEN.step, status: "in_progress" }] } }],
        },
        { calls: [{ tool: "exec", args: { command: "sh look.sh" } }] },
        { calls: [{ tool: "update_plan", args: { merge: true, plan: [...plan.plan, LAST].map(closed) } }] },
        { say: "All is done." },
      ],
    });
    const { session } = await world.person.must("sessions.create", { title: "INC-4127" });
    const sessionId = session.id;
    await world.person.must("chat.send", { sessionId, text: "Stop the loop." });
    const waiting = async () => (await world.person.must("sessions.list", { waiting: true })).sessions[0]?.waiting?.id;
    await expect.poll(waiting, PATIENT).toBeDefined();
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({
      size: { width: 390, height: 900 },
    });
    const address = `${world.url}/sessions/${sessionId}`;
    await page.goto(`${address}/plan`);
    await page.locator("hp-plan-document #step-1").waitFor();
    const last = page.locator(`#step-${plan.plan.length} .text`);
    await expect.poll(() => last.textContent(), PATIENT).toBe("Run sh check.sh and keep its report");
    await shot("incident-plan-390");
    await expectNoSidewaysScrolling();
    const approvalId = ApprovalId.parse(await waiting());
    await world.person.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });

    await page.goto(`${address}/run`);
    const step = page.locator("li.step", { hasText: "keep its report" });
    await step.getByText("2/2 claimed").waitFor();
    await step.getByText("1 contradicted").waitFor();
    expect(await step.locator(".criterion.failed").textContent()).toContain("exit code 3");
    expect(await step.locator(".criterion.claimed").textContent()).toContain("no recorded command proves it");
    expect(await step.locator(".calls li").allTextContents()).toEqual([
      expect.stringMatching(/Run command sh check\.sh\s+exit code 3/),
      expect.stringMatching(/Write file report\.md/),
    ]);
    expect(await page.locator("hp-run-panel").getByText("`").count()).toBe(0); // no raw Markdown is left
    await step.scrollIntoViewIfNeeded();
    await shot("run-proof-390");
    await expectNoSidewaysScrolling();
    await expectAccessible();

    await page.goto(address);
    await page.locator("summary", { hasText: "report.md" }).click();
    const written = page.getByLabel("Arguments");
    await expect.poll(() => written.innerText(), PATIENT).toContain("content:\n    # Report\n    \n    - one");
    finish.resolve();
    await page.getByText("All is done.").waitFor();
    await page.goto(`${address}/plan`);
    const all = plan.plan.length + 1;
    await page.getByText(`${all} of ${all} done`).waitFor();
    await page.getByText("Done", { exact: true }).waitFor();
    expect(await page.locator("hp-plan-document .number.completed").count()).toBe(all);
    expect(await page.locator("hp-plan-document .criteria li:not(.claimed)").count()).toBe(0);
    await shot("finished-plan-390");
    await provenIn({ page, address, number: all });
    await shot("finished-proof-390");
    await expectAccessible();
  });
});
