/** Views whose code is there before somebody opens them. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { planWorld, submits } from "./cards-kit.ts";
import { browserTest, openWorld, PATIENT } from "./page-world.ts";

const hasFetched = (page: Page, view: string): Promise<boolean> =>
  page.evaluate((name) => performance.getEntriesByType("resource").some((entry) => entry.name.includes(name)), view);

describe("the code of a view", () => {
  browserTest("[UI-05] is there before the plan that waits is opened", async () => {
    const { world, address } = await planWorld([submits("Paint the shed")]);
    const { page } = await world.openPage();
    await page.goto(`${address}/timeline`);
    await expect.poll(() => hasFetched(page, "review-view-"), PATIENT).toBe(true);
    await page.evaluate(() => performance.clearResourceTimings());
    await page.getByRole("link", { name: "Plan", exact: true }).click();
    await page.getByText("Buy blue paint", { exact: true }).first().waitFor();
    expect(await hasFetched(page, "review-view-")).toBe(false);
  });

  browserTest("[UI-01] is fetched when somebody points at its link, and not before", async () => {
    const world = await openWorld();
    const { page } = await world.openPage();
    await page.getByText("No sessions yet").waitFor();
    expect(await hasFetched(page, "settings-view-")).toBe(false);
    await page.getByRole("link", { name: "Settings" }).hover();
    await expect.poll(() => hasFetched(page, "settings-view-"), PATIENT).toBe(true);
    await page.evaluate(() => performance.clearResourceTimings());
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Log out of this browser" }).waitFor();
    expect(await hasFetched(page, "settings-view-")).toBe(false);
  });
});
