/** Ten thousand messages in one conversation. How fast that is, `npm run bench -- page` says; here it has to hold. */
import { expect } from "vitest";
import { flood, keepSocket } from "../kit/page-flood.ts";
import { browserTest, openWorld, PATIENT } from "./page-world.ts";

const ROWS_MAX = 80;

browserTest("[UI-01] ten thousand messages scroll from end to beginning, and only those in sight exist", async () => {
  const world = await openWorld();
  const { session } = await world.person.must("sessions.create", { title: "Long" });
  const { page } = await world.openPage();
  await keepSocket(page);
  await page.goto(`${world.url}/sessions/${session.id}`);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await flood(page, { sessionId: session.id, count: 10_000 });
  const log = page.getByRole("log");
  const rows = (): Promise<number> => log.locator(".virtual-row").count();
  await log.getByText("Answer 10000 with").waitFor();
  expect(await rows()).toBeLessThan(ROWS_MAX);
  for (const share of [0.75, 0.5, 0.25]) {
    const sought = Math.round(10_000 * share);
    await log.evaluate((list, part) => list.scrollTo({ top: list.scrollHeight * part }), share);
    const near = async (): Promise<boolean> => {
      const texts = (await log.locator(".virtual-row").allTextContents()).join(" ");
      const [, number = "0"] = /message number (\d+)/.exec(texts) ?? [];
      return Math.abs(Number(number) - sought) < 2_000;
    };
    await expect.poll(near, PATIENT).toBe(true);
    expect(await rows()).toBeLessThan(ROWS_MAX);
  }
  await expect
    .poll(async () => {
      await log.evaluate((list) => list.scrollTo({ top: 0 }));
      return log.getByText("message number 1", { exact: true }).count();
    }, PATIENT)
    .toBe(1);
  expect(await rows()).toBeLessThan(ROWS_MAX);
  // there and back over rows that are measured by now: the list has no reason to place itself in between
  for (const back of [1, 2, 3]) {
    await log.evaluate((list) => list.scrollTo({ top: 6_000 }));
    await expect.poll(() => log.getByText("message number 1", { exact: true }).count(), PATIENT).toBe(0);
    await log.evaluate((list) => list.scrollTo({ top: 0 }));
    await expect.poll(() => log.getByText("message number 1", { exact: true }).count(), PATIENT).toBe(1);
    expect([back, await log.evaluate((list) => list.scrollTop)]).toEqual([back, 0]);
  }
});
