/** Two people with one realistic plan at the same time, one with a phone and one at a desk: review, argue, edit, sign, watch. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { PlanStep } from "../../src/plan-mode/protocol/plan.ts";
import { openFor } from "./cards-kit.ts";
import { browserTest, LONG_MS_MAX, openWorld, PATIENT } from "./page-world.ts";
import { realisticPlan } from "./realistic-plans.ts";

const CRITERION = "The report is there";
const LOOK = "Look at the report";
const payments = realisticPlan("payments");
const asked = (plan: readonly PlanStep[]): JsonObject => {
  const steps = JSON.parse(JSON.stringify(plan)) as JsonObject[];
  const proven = {
    step: LOOK,
    acceptanceCriteria: [{ criterion: CRITERION, proof: { by: "command", command: "sh look.sh" } }],
  };
  return { ...(JSON.parse(JSON.stringify(payments)) as JsonObject), plan: [...steps, proven] };
};
const [opening = { step: "", status: "pending" as const }, ...others] = payments.plan;
/** The agent's answer to the first round, and what Ben makes of its first step. */
const answered: PlanStep = { ...opening, step: `${opening.step} (concurrently)` };
const byBen = `${opening.step} (concurrently, internal tenants first)`;
const closed = (step: string, acceptanceCriteria: readonly string[] = []): JsonObject => ({
  step,
  status: "completed",
  verifiedCriteria: [...acceptanceCriteria],
});

const accept = (page: Page) => page.getByRole("button", { name: "Accept", exact: true, disabled: false });
const draft = (page: Page) => page.getByRole("textbox", { name: "Text of step 1", exact: true });

describe("two people at once", { timeout: LONG_MS_MAX }, () => {
  browserTest(
    "[UI-13, UI-12, PL-18, RV-01] review, argue about, edit and sign a plan, and see how it is known to work",
    async () => {
      const world = await openWorld({
        planMode: { defaultActive: true, approvals: { quorum: 2 } },
        files: { "look.sh": "ls report.md\n" },
        script: [
          { calls: [{ tool: "exit_plan_mode", args: asked(payments.plan) }] },
          { calls: [{ tool: "exit_plan_mode", args: { ...asked([answered, ...others]), addresses: ["n1"] } }] },
          { calls: [{ tool: "write", args: { path: "report.md", content: "All rows are there.\n" } }] },
          { calls: [{ tool: "update_plan", args: { merge: true, plan: [{ step: LOOK, status: "in_progress" }] } }] },
          { calls: [{ tool: "exec", args: { command: "sh look.sh" } }] },
          {
            calls: [
              {
                tool: "update_plan",
                args: {
                  merge: true,
                  plan: [
                    closed(byBen, opening.acceptanceCriteria),
                    ...others.map(({ step, acceptanceCriteria }) => closed(step, acceptanceCriteria)),
                    closed(LOOK, [CRITERION]),
                  ],
                },
              },
            ],
          },
          { say: "All is done." },
        ],
      });
      const { session } = await world.person.must("sessions.create", { title: "PAY-2231" });
      await world.person.must("chat.send", { sessionId: session.id, text: "Split the ledger." });
      const waiting = async () => (await world.person.must("sessions.list", { waiting: true })).sessions.length;
      await expect.poll(waiting, PATIENT).toBe(1);
      const address = `${world.url}/sessions/${session.id}`;
      const ann = await openFor(world, "Ann", { size: { width: 390, height: 844 }, touch: true });
      const ben = await openFor(world, "Ben", { size: { width: 1440, height: 900 } });
      await Promise.all([ann, ben].map(({ page }) => page.goto(`${address}/plan`)));
      await ann.page.getByText("0 of 2 signatures").first().waitFor();

      // they argue about the first step
      await ann.page.getByRole("button", { name: "Write a note: Step 1", exact: true }).click();
      const form = ann.page.getByRole("form", { name: "New note" });
      await form.getByRole("textbox", { name: "Note" }).fill("Is the index built concurrently?");
      await form.getByRole("button", { name: "Add note" }).click();
      const seen = ben.page.locator("hp-note-thread", { hasText: "Is the index built concurrently?" });
      await seen.getByRole("button", { name: "Reply" }).click();
      await seen.getByRole("textbox").fill("It has to be. I edit the steps.");
      await seen.getByRole("button", { name: "Send reply" }).click();
      await ann.page.locator("hp-note-thread").getByText("It has to be. I edit the steps.").waitFor();
      await ann.shot("two-people-note-390");

      // Ben edits while Ann sends the plan back: his draft stays, and he is told
      await ben.page.getByRole("button", { name: "Edit steps" }).click();
      await draft(ben.page).fill(byBen);
      await ann.page.getByRole("button", { name: "Revise", disabled: false }).click();
      await ann.page.getByRole("textbox", { name: "What should be different?" }).fill("Say how the index is built.");
      await ann.page.getByRole("button", { name: "Send back to the agent" }).click();
      await ben.page.getByText("Revision 2 came while you edited revision 1. Your draft is kept.").waitFor();
      expect(await draft(ben.page).inputValue()).toBe(byBen);
      await ben.shot("two-people-draft-1440");
      await ben.expectAccessible();

      // Ann writes again on the phone; Ben signs his edition of the newest revision meanwhile
      await accept(ann.page).waitFor();
      await ann.page.getByRole("button", { name: "Revise", disabled: false }).click();
      const words = "And who watches the first night?";
      await ann.page.getByRole("textbox", { name: "What should be different?" }).fill(words);
      await ben.page.getByRole("button", { name: "Put my steps into revision 2" }).click();
      await ben.page.getByRole("button", { name: "Approve edited plan" }).click();
      const confirm = ben.page.locator("hp-confirm-edited");
      await confirm.getByRole("button", { name: "Approve edited plan" }).click();
      await confirm.waitFor({ state: "detached" });
      const kept = ann.page.getByRole("region", { name: /What you wrote was not sent/ });
      await kept.getByText(words).waitFor();
      await ann.shot("two-people-kept-390");
      await ann.expectNoSidewaysScrolling();

      // her signature is the second one
      await ann.page.getByText("1 of 2 signatures").first().waitFor();
      await accept(ann.page).click();
      await Promise.all([ann, ben].map(({ page }) => page.goto(`${address}/run`)));
      for (const { page } of [ann, ben]) {
        const criterion = page.locator("hp-run-panel .criterion.proven", { hasText: CRITERION });
        await criterion.waitFor({ state: "attached" });
        expect(await criterion.textContent()).toContain("exit code 0");
      }
      await ben.page.goto(`${address}/changes`);
      await ben.page.locator("hp-changes-view summary", { hasText: "report.md" }).waitFor();
      await ann.shot("two-people-run-390");
      await ben.shot("two-people-changes-1440");
      await ann.page.goto(address);
      await ann.page.getByText("All is done.").waitFor();
      await kept.getByText(words).waitFor(); // nobody sent it, and nobody lost it
    },
  );
});
