/** The conversation while a realistic plan is carried out: one card for it, tools by name, the pane, the modes. */
import { describe, expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { ScriptStep } from "../kit/scripted-model.ts";
import { acceptIn, composerIn, planWorld, waitingId } from "./cards-kit.ts";
import { browserTest, PATIENT, PHONE } from "./page-world.ts";
import { realisticPlan } from "./realistic-plans.ts";

const plan = realisticPlan("payments");
const [first, second] = plan.plan;

const updates = (...changes: JsonObject[]): ScriptStep => ({
  calls: [{ tool: "update_plan", args: { merge: true, plan: changes } }],
});
const closed = (step: (typeof plan.plan)[number]): JsonObject => ({
  step: step.step,
  status: "completed",
  verifiedCriteria: step.acceptanceCriteria ?? [],
});

describe("a plan in the conversation", () => {
  browserTest("[UI-01] [UI-14] is one live card of steps, not a row for each update", async () => {
    if (first === undefined || second === undefined) throw new Error("the plan has no steps");
    const go = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    const { world, address } = await planWorld([
      { calls: [{ tool: "grep", args: { pattern: "charges", path: "." } }] },
      { calls: [{ tool: "exit_plan_mode", args: plan }] },
      updates({ step: first.step, status: "in_progress", activeForm: "Reading `charge.ts` and **all** its callers" }),
      { say: "I began.", until: go.promise, ...updates(closed(first)) },
      updates({ step: second.step, status: "in_progress" }),
      {
        say: "One step is done.",
        until: rest.promise,
        calls: [{ tool: "update_plan", args: { plan: plan.plan.map((step) => closed(step)) } }],
      },
      { say: "All is done." },
    ]);
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({
      size: { width: 1440, height: 900 },
    });
    await page.goto(address);
    await page.getByText("Search in files").waitFor();
    await acceptIn(page).click();
    await page.getByText("I began.").waitFor();
    const card = page.locator("hp-plan-row");
    const current = card.locator("li.in_progress");
    await expect.poll(() => current.innerText(), PATIENT).toContain("Reading charge.ts and all its callers");
    expect(await current.locator("code, strong").allInnerTexts()).toEqual(["charge.ts", "all"]);
    await shot("thread-plan-begun");
    go.resolve();
    await page.getByText("One step is done.").waitFor();
    await card.getByText(`1 of ${plan.plan.length} done`).waitFor();
    expect(await card.count()).toBe(1);
    expect(await page.getByText("Update plan").count()).toBe(0);
    expect(await card.locator("li").count()).toBe(plan.plan.length);
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScrolling();
    await shot("thread-plan-phone");
    await expectAccessible();
    await page.setViewportSize({ width: 1440, height: 900 });
    rest.resolve();
    await page.getByText("All is done.").waitFor();
    await card.getByText(`${plan.plan.length} of ${plan.plan.length} done`).waitFor();
    await page.reload();
    await card.getByText(`${plan.plan.length} of ${plan.plan.length} done`).waitFor(); // from the record alone
    await shot("thread-plan-done");
  });

  browserTest("[UI-01] [UI-03] the pane can be put away; the mode says what holds the next request", async () => {
    const { world, sessionId, address } = await planWorld([
      { calls: [{ tool: "exit_plan_mode", args: { title: "Paint", plan: [{ step: "Paint", status: "pending" }] } }] },
      { calls: [{ tool: "update_plan", args: { plan: [{ step: "Paint", status: "completed" }] } }] },
      { say: "Done." },
      { say: "And again." },
    ]);
    const { page, shot, expectAccessible } = await world.openPage({ size: { width: 1440, height: 900 } });
    await page.goto(address);
    await acceptIn(page).click();
    await page.getByText("Done.", { exact: true }).waitFor();
    const chip = page.getByRole("button", { name: "Mode: Plan, from your next message" });
    await chip.waitFor();
    await chip.click();
    await page.getByRole("menuitemradio", { name: /^Ask.*Every change asks first/ }).waitFor();
    await shot("mode-menu-explained");
    await expectAccessible();
    await page.keyboard.press("Escape");

    const pane = page.getByRole("complementary", { name: "Plan" });
    const toggle = page.getByRole("button", { name: "Plan pane" });
    await pane.waitFor();
    await toggle.click();
    await expect.poll(() => pane.count(), PATIENT).toBe(0);
    expect(await toggle.getAttribute("aria-pressed")).toBe("false");
    await page.reload();
    await toggle.waitFor();
    expect(await pane.count()).toBe(0); // remembered
    await page.getByRole("log").focus();
    await page.keyboard.press("p");
    await pane.waitFor();

    await world.person.must("sessions.patch", { sessionId, planMode: "normal" });
    await page.getByRole("button", { name: "Mode: Default", exact: true }).waitFor();
    await world.person.must("sessions.patch", { sessionId, planApproval: { action: "auto", enabled: true } });
    await page.getByRole("button", { name: /auto/i }).waitFor(); // its notice can end it; the mode is still its own
    expect(await page.getByRole("button", { name: "Mode: Default", exact: true }).count()).toBe(1);
    expect(await composerIn(page).count()).toBe(1);
  });

  browserTest("[PL-02] [UI-03] where plan mode is off, no mode of it is offered", async () => {
    const { world, address } = await planWorld([{ say: "Hello." }], { enabled: false, defaultActive: null });
    const { page } = await world.openPage();
    await page.goto(address);
    await page.getByText("Hello.").waitFor();
    await page.getByRole("button", { name: "Mode: Default", exact: true }).click();
    await page.getByRole("menuitemradio", { name: /^Ask/ }).waitFor();
    expect(await page.getByRole("menuitemradio", { name: /^Plan/ }).count()).toBe(0);
    await page.keyboard.press("4");
    await page.keyboard.press("2"); // what comes after it works, and nothing of the first is left behind
    await page.getByRole("button", { name: "Mode: Ask", exact: true }).waitFor();
  });

  browserTest("[UI-13] answers, notes and decisions stand in the conversation, where they were made", async () => {
    const question = { question: "Which tenants go first?", options: ["Internal ones", "The smallest"] };
    const { world, sessionId, address } = await planWorld([
      { say: "I ask first.", calls: [{ tool: "ask_user_question", args: question }] },
      { calls: [{ tool: "exit_plan_mode", args: plan }] },
      { say: "Once more.", calls: [{ tool: "exit_plan_mode", args: { ...plan, title: "The second one" } }] },
      { fail: { message: "scripted refused the key (401).", retry: false } },
      { say: "Now it works." },
    ]);
    const { page, shot, expectAccessible } = await world.openPage({ size: { width: 900, height: 1400 } });
    await page.goto(address);
    await page.getByRole("button", { name: "Internal ones", disabled: false }).click();
    await acceptIn(page).waitFor();
    const approvalId = ApprovalId.parse(await waitingId(world));
    const anchor = { on: "step" as const, step: 2 };
    await world.person.must("sessions.patch", {
      sessionId,
      planNote: { action: "add", approvalId, anchor, text: "Why property tests here?" },
    });
    const log = page.getByRole("log");
    await log.getByText("Why property tests here?").waitFor();
    await world.person.must("sessions.patch", {
      sessionId,
      planApproval: { action: "reject", approvalId, feedback: "Begin with the sweeper." },
    });
    await page.getByRole("heading", { name: "The second one" }).waitFor();
    await acceptIn(page).click();
    await log.getByText("local approved the plan").waitFor();
    await log.getByText("The agent could not go on").waitFor();
    await log.getByText("scripted refused the key (401).").waitFor();
    const told = [
      "I ask first.",
      "local answered",
      "Internal ones",
      "Why property tests here?",
      "local asked for changes",
      "Begin with the sweeper.",
      "Once more.",
      "local approved the plan",
      "The agent could not go on",
    ];
    const tops = await Promise.all(
      told.map(async (words) => (await log.getByText(words).first().boundingBox())?.y ?? -1),
    );
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    await log.getByRole("link", { name: "Settings" }).waitFor();
    await shot("thread-decisions");
    await expectAccessible();
    await log.getByRole("button", { name: "Try again" }).click();
    await log.getByText("Now it works.").waitFor();
    expect(await log.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.reload();
    await log.getByText("local asked for changes").waitFor(); // from the record
  });
});
