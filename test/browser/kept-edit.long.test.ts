/** An unfinished edit of a plan's steps: offered as long as that plan is there, and never put into another. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { closes, planWorld, submits, waitingId } from "./cards-kit.ts";
import { browserTest, PATIENT } from "./page-world.ts";

const field = (page: Page) => page.getByRole("textbox", { name: "Text of step 1", exact: true });
const KEPT = "You have an unfinished edit of this plan.";

/** Begins an edit in the page and leaves it for later. */
async function leaveAnEdit(page: Page): Promise<void> {
  await page.locator("hp-decision-bar .sign:enabled").waitFor();
  await page.keyboard.press("e");
  await field(page).fill("Sand the wood twice");
  await page.getByRole("button", { name: "Keep for later" }).click();
  await page.getByText(KEPT).waitFor();
}

describe("an unfinished edit", () => {
  browserTest("[UI-13] is still offered when somebody else signed the plan meanwhile", async () => {
    const { world, sessionId, address } = await planWorld([submits("Paint it"), { say: "I begin." }]);
    const { page } = await world.openPage();
    await page.goto(`${address}/plan`);
    await leaveAnEdit(page);
    const approvalId = ApprovalId.parse(await waitingId(world));
    await world.person.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
    await page.getByText("Being carried out").waitFor();
    await page.getByRole("button", { name: "Go on editing" }).click();
    await page.getByText("This plan was decided meanwhile. Your draft is kept.").waitFor();
    expect(await field(page).inputValue()).toBe("Sand the wood twice");
    expect(await page.getByRole("button", { name: "Approve edited plan" }).isDisabled()).toBe(true);
  });

  browserTest("[UI-13] [PL-17] is not offered for the next plan of its session, which it was not made on", async () => {
    const { world, sessionId, address } = await planWorld([
      submits("Paint it"),
      closes,
      { say: "Done." },
      submits("Paint the fence"),
    ]);
    const { page } = await world.openPage();
    await page.goto(`${address}/plan`);
    await leaveAnEdit(page);
    const approvalId = ApprovalId.parse(await waitingId(world));
    await world.person.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
    const modeOf = async (): Promise<string> => (await world.person.must("sessions.get", { sessionId })).session.mode;
    await expect.poll(modeOf, PATIENT).toBe("normal");
    await world.person.must("sessions.patch", { sessionId, planMode: "plan" });
    await world.person.must("chat.send", { sessionId, text: "Now the fence." });
    await page.getByText("Paint the fence").first().waitFor();
    await page.locator("hp-decision-bar .sign:enabled").waitFor();
    expect(await page.getByText(KEPT).count()).toBe(0);
    await page.keyboard.press("e");
    await expect.poll(() => field(page).inputValue(), PATIENT).toBe("Sand the wood");
  });
});
