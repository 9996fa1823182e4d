/** A plan with wide code, a wide table and long words, at every width at which it is read. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { cutOff } from "./every-view.ts";
import { browserTest, openWorld, PATIENT, type World } from "./page-world.ts";
import { LONG_WORD, wide } from "./review-plans.ts";

const HEIGHT = 900;
const DOCUMENT = "hp-plan-document";

/** The session whose wide plan waits for a person. */
async function waiting(): Promise<{ world: World; address: string }> {
  const world = await openWorld({
    script: [{ calls: [{ tool: "exit_plan_mode", args: wide }] }],
    planMode: { defaultActive: true },
  });
  const { session } = await world.person.must("sessions.create", { title: "Invoices" });
  await world.person.must("chat.send", { sessionId: session.id, text: "Move them." });
  const count = async () => (await world.person.must("sessions.list", { waiting: true })).sessions.length;
  await expect.poll(count, PATIENT).toBe(1);
  return { world, address: `${world.url}/sessions/${session.id}` };
}

/** Until all of it is drawn, Markdown as well. */
async function drawn(page: Page): Promise<void> {
  for (const part of ["pre", "table", "#step-12"]) await page.locator(DOCUMENT).locator(part).first().waitFor();
}

describe("a plan that is wider than its place", () => {
  browserTest("[UI-05, UI-07] loses no word on a phone, a tablet and a desk", async () => {
    const { world, address } = await waiting();
    const { page, shot, expectNoSidewaysScrolling } = await world.openPage({ size: { width: 320, height: HEIGHT } });
    await page.goto(`${address}/plan`);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: HEIGHT });
      await drawn(page);
      expect([width, await cutOff(page, DOCUMENT)]).toEqual([width, []]);
      await expectNoSidewaysScrolling();
      await shot(`wide-plan-${width}`);
    }
  });

  browserTest("[UI-05, UI-07] loses no word in the side pane, and its code and table are scrolled there", async () => {
    const { world, address } = await waiting();
    const { page, shot, expectNoSidewaysScrolling } = await world.openPage({ size: { width: 1440, height: HEIGHT } });
    await page.goto(address);
    await page.getByRole("complementary", { name: "Plan" }).locator("#step-12").waitFor();
    await drawn(page);
    expect(await cutOff(page, DOCUMENT)).toEqual([]);
    await expectNoSidewaysScrolling();
    await shot("wide-plan-pane");
    for (const part of ["pre", "table"]) {
      const box = page.locator(DOCUMENT).locator(part).first();
      const scrolled = await box.evaluate((element) => {
        element.scrollLeft = element.scrollWidth;
        return element.scrollLeft;
      });
      expect([part, scrolled > 0]).toEqual([part, true]);
    }
  });

  browserTest("[UI-07] leaves the menu of its session beside the title, at every width", async () => {
    const { world, address } = await waiting();
    const { page } = await world.openPage({ size: { width: 1440, height: HEIGHT } });
    await page.goto(address);
    const bar = page.locator("hp-top-bar");
    for (const width of [320, 390, 768, 900, 1100, 1280, 1366, 1440, 1920]) {
      await page.setViewportSize({ width, height: HEIGHT });
      const [title, menu] = [await bar.locator("h1").boundingBox(), await bar.locator("hp-menu").boundingBox()];
      if (title === null || menu === null) throw new Error("not drawn");
      const middles = [title, menu].map(({ y, height }) => y + height / 2);
      expect([width, Math.abs((middles[0] ?? 0) - (middles[1] ?? 0)) < title.height / 2]).toEqual([width, true]);
    }
  });

  browserTest("[UI-07] is found out when something does cut it off", async () => {
    const { world, address } = await waiting();
    const { page } = await world.openPage({ size: { width: 390, height: HEIGHT } });
    await page.goto(`${address}/plan`);
    await drawn(page);
    await page
      .locator(DOCUMENT)
      .locator("#step-4 .text")
      .evaluate((element) => {
        element.style.cssText = "white-space: nowrap; overflow: hidden";
      });
    expect(await cutOff(page, DOCUMENT)).toEqual([expect.stringContaining("Restore the dump with the checksum")]);
    expect(LONG_WORD).toHaveLength(200);
  });
});
