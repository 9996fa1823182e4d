/** A countdown that stands still while somebody reads: what the gateway holds and what the page shows agree. */
import { expect } from "vitest";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { acceptIn, cardIn, planWorld, submits } from "./cards-kit.ts";
import { browserTest, PATIENT } from "./page-world.ts";

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
