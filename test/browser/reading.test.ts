/** A plan while somebody reads it: the countdown stands still, and the page helps to find one's way. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { acceptIn, cardIn, focused, planWorld, submits, waitingId } from "./cards-kit.ts";
import { browserTest, PATIENT } from "./page-world.ts";
import { realisticPlan } from "./realistic-plans.ts";

browserTest("[BY-07] [UI-04] the countdown stands still while a person reads, and only then", async () => {
  const { world, sessionId, address } = await planWorld([submits("Paint it")], { approvalTimeoutSeconds: 3_600 });
  const pending = async () => {
    const { session } = await world.person.must("sessions.get", { sessionId });
    const { now } = PlanModeState.parse(session.slices["planMode"]);
    if (now.phase !== "pending") throw new Error(`no plan waits: ${now.phase}`);
    return { deadlineAtMs: now.submission.deadlineAtMs, reading: now.reading };
  };
  const { page } = await world.openPage();
  await page.addInitScript(() => {
    let looks = false;
    Reflect.set(globalThis, "look", () => (looks = true));
    Reflect.set(Document.prototype, "hasFocus", () => looks);
  });
  await page.goto(address);
  await acceptIn(page).waitFor();
  const alone = await pending();
  expect(alone.reading).toBeUndefined(); // a page that lies open reads nothing
  expect(
    await cardIn(page)
      .locator("hp-countdown")
      .evaluate((clock) => Reflect.get(clock, "paused")),
  ).toBe(false);
  await page.mouse.move(200, 200);
  await page.mouse.move(220, 210);
  await expect.poll(async () => (await pending()).reading !== undefined, PATIENT).toBe(true);
  const { reading, deadlineAtMs } = await pending();
  expect(deadlineAtMs - alone.deadlineAtMs).toBe(reading?.extendedMs); // what was read is not taken from the time to decide
  expect(reading?.by.name).toBe("local");
  await expect
    .poll(
      () =>
        cardIn(page)
          .locator("hp-countdown")
          .evaluate((clock) => Reflect.get(clock, "paused")),
      PATIENT,
    )
    .toBe(true);
});

/** The page's own words, into shadow roots too. */
const marked = (page: Page, name: string): Promise<number> =>
  page.evaluate((wanted) => CSS.highlights.get(wanted)?.size ?? 0, name);

browserTest("[UI-14] [UI-15] [UI-05] a realistic plan is read with colours, a drawing, a bar and keys", async () => {
  const plan = realisticPlan("payments");
  const second = { ...plan, plan: plan.plan.with(4, { ...plan.plan[4], step: "Write another adapter" }) };
  const { world, sessionId, address } = await planWorld([
    { calls: [{ tool: "exit_plan_mode", args: plan }] },
    { calls: [{ tool: "exit_plan_mode", args: second }] },
  ]);
  const { page, context, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({
    size: { width: 1440, height: 900 },
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${address}/plan`);
  const document = page.locator("hp-plan-document");
  const drawing = document.locator("figure.diagram");
  await drawing.locator("text", { hasText: "Gateway router" }).waitFor({ state: "attached" });
  expect(await drawing.locator("[style*=fill], style, script").count()).toBe(0);
  await document.locator("pre .keyword", { hasText: "export" }).first().waitFor();
  await drawing.scrollIntoViewIfNeeded();
  await shot("reading-diagram");
  await document.locator(".block").first().hover();
  await document.getByRole("button", { name: "Copy", exact: true }).first().click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()), PATIENT)
    .toMatch(/^\/\*\* What came of one/);

  await page.keyboard.press("f");
  await page.getByRole("searchbox", { name: "Find in the plan" }).fill("idempotency");
  const count = page.locator("hp-reading-bar .count");
  await expect.poll(() => count.textContent(), PATIENT).toMatch(/^1 of \d+$/);
  expect(await marked(page, "hp-found")).toBeGreaterThan(3);
  await page.keyboard.press("Enter");
  await expect.poll(() => count.textContent(), PATIENT).toMatch(/^2 of \d+$/);
  await shot("reading-find");
  await expectAccessible();
  await page.keyboard.press("Escape");
  expect(await marked(page, "hp-found")).toBe(0);

  await page.getByRole("link", { name: /^4 Give the support console/ }).click();
  await page.getByText("Step 4 of 12").waitFor();
  await page.keyboard.press("j");
  await page.locator("#step-5:focus").waitFor();
  await page.getByRole("button", { name: "Copy: Step 5" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), PATIENT).toContain("Northpay adapter");
  await page.getByRole("button", { name: "Fold all" }).click();
  await expect.poll(() => page.locator("#step-5").isVisible(), PATIENT).toBe(false);
  await page.getByRole("button", { name: "Show all" }).click();

  await page.getByRole("button", { name: "Accept", exact: true, disabled: false }).waitFor();
  await page.keyboard.press("a");
  expect(await focused(page)).toBe("Accept"); // two keys, and nothing is decided by the first
  const looked = () => page.evaluate(() => localStorage.getItem("holdpoint.read"));
  await expect.poll(looked, PATIENT).toContain('"revision":1');
  const approvalId = ApprovalId.parse(await waitingId(world));
  await world.person.must("sessions.patch", {
    sessionId,
    planApproval: { action: "reject", approvalId, feedback: "x" },
  });
  await page.getByText("Revision 2 of 2").waitFor();
  const middleOf = (part: Locator): Promise<number> =>
    part.evaluate((element) => {
      const { top, height } = element.getBoundingClientRect();
      return Math.round(top + height / 2);
    });
  const share = await middleOf(page.getByRole("button", { name: "Share" }));
  expect(Math.abs(share - (await middleOf(page.locator("hp-plan-review hp-tabs").first())))).toBeLessThan(12); // one line
  await page.getByRole("tab", { name: "Plan", exact: true }).click();
  await page.getByText("1 part is new since you read revision 1.").waitFor();
  await page.keyboard.press("u");
  await page.locator("#step-5:focus").getByText("New since you looked").waitFor();
  await shot("reading-new");
  await expectNoSidewaysScrolling();
});
