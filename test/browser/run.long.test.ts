/** A plan while it is carried out, and what is on record afterwards: progress, timeline, audit, figures. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ApprovalId, type SessionId } from "../../src/protocol/ids.ts";
import type { ScriptStep } from "../kit/scripted-model.ts";
import { browserTest, openWorld, PHONE, type World, PATIENT } from "./page-world.ts";

const plan = [
  { step: "Buy blue paint", status: "pending", acceptanceCriteria: ["it is blue", "it is matt"] },
  { step: "Paint the shed, door first, two coats", status: "pending", activeForm: "Painting the door" },
  { step: "Clean the brushes", status: "pending" },
];
const update = (...changed: object[]): ScriptStep => ({
  calls: [{ tool: "update_plan", args: { merge: true, plan: changed as never } }],
});

/** A session whose plan is approved and half way through; `goOn` lets the agent do the rest. */
async function halfWay(): Promise<{ world: World; sessionId: SessionId; goOn: () => void }> {
  const held = Promise.withResolvers<void>();
  const world = await openWorld({
    planMode: { defaultActive: true },
    script: [
      { calls: [{ tool: "write", args: { path: "shed.txt", content: "blue" } }] },
      { calls: [{ tool: "exit_plan_mode", args: { title: "Paint the shed", plan } }] },
      update({ step: "Buy blue paint", status: "in_progress" }),
      update(
        { step: "Buy blue paint", status: "completed", verifiedCriteria: ["it is blue", "it is matt"] },
        { step: "Paint the shed, door first, two coats", status: "in_progress", activeForm: "Painting the door" },
      ),
      {
        say: "At it.",
        until: held.promise,
        calls: [{ tool: "update_plan", args: { merge: true, plan: rest } }],
      },
      { say: "Done." },
    ],
  });
  const { session } = await world.person.must("sessions.create", { title: "Paint the shed" });
  const sessionId = session.id;
  await world.person.must("chat.send", { sessionId, text: "Paint the shed." });
  const waitingId = async () => (await world.person.must("sessions.list", { waiting: true })).sessions[0]?.waiting?.id;
  await expect.poll(waitingId, PATIENT).toBeDefined();
  const approvalId = ApprovalId.parse(await waitingId());
  await world.person.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
  return { world, sessionId, goOn: () => held.resolve() };
}

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

const focusedLabel = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.getAttribute("aria-label");
  });

const rest = [
  { step: "Paint the shed, door first, two coats", status: "completed" },
  { step: "Clean the brushes", status: "completed" },
];

describe("a plan that is carried out", () => {
  browserTest("[UI-10] shows its steps live, with what was verified, and says when it is done", async () => {
    const { world, sessionId, goOn } = await halfWay();
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage();
    await page.goto(`${world.url}/sessions/${sessionId}/run`);
    const panel = page.locator("hp-run-panel");
    await panel.getByText("1 of 3 done", { exact: true }).waitFor();
    await panel.getByText("Now: Painting the door", { exact: true }).waitFor();
    await panel.getByText("The agent is woken, if it has not gone on by then.").waitFor(); // AU-01
    await panel.getByText("1 of 3 done · Now: Painting the door").waitFor(); // for screen readers
    await panel.getByText("2/2 claimed").waitFor();
    await page.getByText("Buy blue paint").waitFor();
    await shot("run-wide");
    await expectAccessible();
    await page.setViewportSize(PHONE);
    await shot("run-phone");
    await expectNoSidewaysScrolling();
    goOn();
    await panel.getByText("3 of 3 done").waitFor();
    await panel.getByText("Done", { exact: true }).waitFor();
    expect(await panel.getByRole("status").textContent()).toBe("The plan is done");
    await shot("run-done-phone");
    await page.reload();
    await panel.getByText("3 of 3 done").waitFor(); // the same from the record
    await expectAccessible();
  });

  browserTest("[UI-01] is followed beside the conversation, where its text is one click away", async () => {
    const { world, sessionId, goOn } = await halfWay();
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(`${world.url}/sessions/${sessionId}`);
    const pane = page.locator("hp-plan-pane");
    await pane.getByText("1 of 3 done", { exact: true }).waitFor();
    await shot("run-pane");
    await expectAccessible();
    goOn();
    await pane.getByText("3 of 3 done", { exact: true }).waitFor(); // what was followed stays when it is done
    await pane.getByRole("tab", { name: "Plan" }).first().click();
    await pane.locator("hp-plan-document").getByText("Clean the brushes").waitFor();
    expect(await pane.locator("hp-run-panel").count()).toBe(0);
  });

  browserTest("[UI-10] leaves a timeline that can be filtered, an audit with a proven chain, and figures", async () => {
    const { world, sessionId, goOn } = await halfWay();
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage();
    await page.goto(`${world.url}/sessions/${sessionId}/timeline`);
    await page.getByText("local approved the plan").waitFor();
    await page.getByText("Write file was refused").waitFor();
    await page.getByText("1 of 3 done").waitFor();
    await shot("timeline-wide");
    await expectAccessible();
    await page.getByRole("button", { name: "Refusals" }).click();
    await page.getByText("Write file was refused").waitFor();
    expect(await page.getByText("local approved the plan").count()).toBe(0);
    await page.getByRole("button", { name: "Everything" }).click();
    goOn();
    await page.getByText("The plan is done").waitFor();
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScrolling();
    await shot("timeline-phone");
    await page.goto(`${world.url}/audit`);
    await page.getByText(/^Intact: \d+ rows/).waitFor();
    await page.getByText("Plan approved").waitFor();
    await expectNoSidewaysScrolling();
    await shot("audit-phone");
    const { session } = await world.person.must("sessions.create", { title: "Another" });
    await page.getByRole("link", { name: "Another" }).waitFor(); // live
    await world.person.must("sessions.patch", { sessionId: session.id, archived: true });
    await page.getByText("Session archived or brought back").waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await shot("audit-wide");
    await expectAccessible();
    await page.getByRole("link", { name: "Figures" }).click();
    await page.getByText("1 approved, 0 sent back, 0 expired, in 30 days").first().waitFor();
    await page.getByRole("img", { name: /^1 refusal in 30 days/ }).waitFor();
    await shot("charts-wide");
    await expectAccessible();
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScrolling();
    await shot("charts-phone");
  });
});

const SHED = [
  { step: "Write down the colour in shed.txt", status: "pending" },
  { step: "Check it", status: "pending" },
];
const shedSteps = (...statuses: string[]): ScriptStep =>
  update(...SHED.map(({ step }, index) => ({ step, status: statuses[index] ?? "pending" })));

describe("what a plan changed", () => {
  browserTest(
    "[UI-11] [BY-03] [BY-09] is shown live per step and file, and can be rolled back from there",
    async () => {
      const held = Promise.withResolvers<void>();
      const world = await openWorld({
        planMode: { defaultActive: true },
        files: { "shed.txt": "red\nwooden\n" },
        script: [
          { calls: [{ tool: "exit_plan_mode", args: { title: "Paint the shed", plan: SHED } }] },
          shedSteps("in_progress"),
          { calls: [{ tool: "write", args: { path: "shed.txt", content: "blue\nwooden\n" } }] },
          shedSteps("completed", "in_progress"),
          {
            until: held.promise,
            calls: [
              { tool: "exec", args: { command: "grep -c blue shed.txt > a-rather-long-name-of-a-report.log; false" } },
            ],
          },
          { say: "Done." },
        ],
      });
      const { session } = await world.person.must("sessions.create", { title: "Paint the shed" });
      const sessionId = session.id;
      await world.person.must("chat.send", { sessionId, text: "Paint the shed." });
      const waitingId = async () =>
        (await world.person.must("sessions.list", { waiting: true })).sessions[0]?.waiting?.id;
      await expect.poll(waitingId, PATIENT).toBeDefined();
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage();
      await page.goto(`${world.url}/sessions/${sessionId}/changes`);
      await page.getByText("No plan has changed anything here yet.").waitFor();
      const approvalId = ApprovalId.parse(await waitingId());
      await world.person.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
      const view = page.locator("hp-changes-view");
      await view.getByText("Files changed: 1").waitFor(); // live, while the agent is at the second step
      await view.getByText("shed.txt", { exact: true }).click();
      await view.getByText("+ blue").waitFor();
      await view.getByText("- red").waitFor();
      held.resolve();
      await view.getByText("exit 1").waitFor();
      await view.getByText("No step names it").waitFor();
      await view.getByText("a-rather-long-name-of-a-report.log", { exact: true }).click();
      await view.getByText("+ 1", { exact: true }).waitFor();
      await shot("changes-wide");
      await expectAccessible();
      await page.setViewportSize(PHONE);
      await shot("changes-phone");
      await expectNoSidewaysScrolling();
      await view.getByRole("button", { name: "Roll back the plan" }).click();
      const dialog = page.locator("hp-rollback-dialog");
      await dialog.getByText("shed.txt", { exact: true }).waitFor();
      await shot("rollback-phone");
      await expectAccessible();
      await dialog.getByRole("button", { name: "Roll back", exact: true }).click();
      await view.getByText("Files put back: 2. Left as they are: 0.").waitFor();
      await view.getByText("Files changed: 0").waitFor();
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: "dark" });
      await shot("changes-after-dark");
      await expectNoSidewaysScrolling();
    },
  );
});

const PERSON = { criterion: "The colour is right", proof: { by: "person" } };
const BROKEN = { criterion: "The tests pass", proof: { by: "command", command: "sh gone.sh" } };
const HOUSE = [
  { step: "Choose a colour", acceptanceCriteria: [PERSON, BROKEN] },
  { step: "Buy blue paint" },
  { step: "Paint the door" },
  { step: "Sand the floor", checkpoint: true },
  { step: "Oil the floor" },
];

/** A plan whose first step waits for what only a person can give. */
async function staged(): Promise<{ world: World; sessionId: SessionId }> {
  const world = await openWorld({
    planMode: { defaultActive: true },
    script: [
      { calls: [{ tool: "exit_plan_mode", args: { title: "Renew the house", plan: HOUSE } }] },
      update({ step: "Choose a colour", status: "in_progress" }),
      ...Array.from({ length: 20 }, () => ({ say: "I wait for you." })),
    ],
  });
  const { session } = await world.person.must("sessions.create", { title: "Renew the house" });
  const sessionId = session.id;
  await world.person.must("chat.send", { sessionId, text: "Renew the house." });
  const waitingId = async () => (await world.person.must("sessions.list", { waiting: true })).sessions[0]?.waiting?.id;
  await expect.poll(waitingId, PATIENT).toBeDefined();
  const approvalId = ApprovalId.parse(await waitingId());
  await world.person.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
  return { world, sessionId };
}

describe("what a person decides while a plan is carried out", () => {
  browserTest("[BY-04] gives their word for a criterion, and waives a proof with a reason", async () => {
    const { world, sessionId } = await staged();
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: WIDE });
    await page.goto(`${world.url}/sessions/${sessionId}/run`);
    const panel = page.locator("hp-run-panel");
    await panel.getByRole("button", { name: "Confirm: The colour is right" }).waitFor();
    expect(await panel.getByRole("button", { name: "Confirm: The tests pass" }).count()).toBe(0);
    await shot("vouch-wide");
    await expectAccessible();
    const waive = panel.getByRole("button", { name: "Waive the proof of: The tests pass" });
    await waive.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
    await panel.getByText("Say why: a proof is waived only with a reason.").waitFor();
    await shot("vouch-reason-wide");
    await expectAccessible();
    await page.keyboard.press("Escape");
    await expect.poll(() => focusedLabel(page), PATIENT).toBe("Waive the proof of: The tests pass");
    await page.keyboard.press("Enter");
    await page.keyboard.type("The tests moved to another house.");
    await page.keyboard.press("Control+Enter");
    await panel.getByText("local waived the proof: The tests moved to another house.").waitFor();
    const confirm = panel.getByRole("button", { name: "Confirm: The colour is right" });
    await confirm.focus();
    await page.keyboard.press("Enter");
    await panel.getByText("local confirmed it").waitFor();
    expect(await panel.locator("hp-vouch").count()).toBe(0);
    expect(await panel.locator("#step-1:focus").count()).toBe(1); // the button went, the keyboard stays at the step
    await page.setViewportSize(NARROW);
    await shot("vouched-390");
    await expectNoSidewaysScrolling();
    await expectAccessible();
  });

  browserTest("[BY-05] holds an open step, accepts a held one, and skips another for good", async () => {
    const { world, sessionId } = await staged();
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: WIDE });
    await page.goto(`${world.url}/sessions/${sessionId}/run`);
    const step = (number: number) => page.locator(`hp-run-panel #step-${number}`);
    await step(5).getByText("Held until somebody accepts it").waitFor(); // behind the checkpoint
    await page.getByRole("button", { name: "Decide about step 3" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: /^Hold this step/ }).waitFor();
    await shot("stage-menu-wide");
    await expectAccessible();
    await page.keyboard.press("Enter");
    await step(3).getByText("Held until somebody accepts it").waitFor();
    await step(3).getByRole("button", { name: "Accept step 3" }).focus();
    await page.keyboard.press("Enter");
    await step(3).getByText("Held until somebody accepts it").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Decide about step 2" }).click();
    await page.getByRole("menuitem", { name: /^Skip this step/ }).click();
    await page.getByRole("heading", { name: "Skip step 2 for good?" }).waitFor();
    await shot("stage-skip-wide");
    await expectAccessible();
    await page.locator("hp-dialog[open]").getByRole("button", { name: "Skip this step" }).click();
    await step(2).getByText("Skipped").waitFor();
    expect(await page.getByRole("button", { name: "Decide about step 2" }).count()).toBe(0);
    await page.setViewportSize(NARROW);
    await shot("staged-390");
    await expectNoSidewaysScrolling();
    await expectAccessible();
    const german = await world.openPage({ size: NARROW, locale: "de", theme: "dark" });
    await german.page.goto(`${world.url}/sessions/${sessionId}/run`);
    await german.page.getByRole("button", { name: "Schritt 5 annehmen" }).waitFor();
    await german.shot("staged-390-de-dark");
    await german.expectNoSidewaysScrolling();
    await german.page.setViewportSize(WIDE);
    await german.shot("staged-wide-de-dark");

    await page.goto(`${world.url}/sessions/${sessionId}/plan`);
    await page.getByRole("tab", { name: "History" }).click();
    for (const kept of ["skipped (steps 2)", "accepted (steps 3)", "held (steps 3)", "approved (steps 1–4)"])
      await page.locator(".history").getByText(kept).waitFor();
    await shot("staged-history-390");
    await expectNoSidewaysScrolling();
    await expectAccessible();
  });
});
