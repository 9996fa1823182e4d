/** A plan on a phone: two buttons under the thumb in every language, a sheet with the rest, and a bar that leads on. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { LOCALES } from "../../ui/i18n/locales.ts";
import { focused, planWorld } from "./cards-kit.ts";
import { browserTest, LONG_MS_MAX, PATIENT } from "./page-world.ts";
import { realisticPlan } from "./realistic-plans.ts";

/** Words of these buttons that stand on two lines; languages without spaces may break between any two characters. */
const brokenWords = (page: Page, host: string): Promise<string[]> =>
  page.locator(`${host} .button`).evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const broken: string[] = [];
      const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(
          /[\p{Script=Latin}\p{Script=Cyrillic}]+/gu,
        )) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
      }
      return broken;
    }),
  );

browserTest(
  "[UI-15] [UI-06] on a phone two buttons decide in every language, no word of them is broken",
  async () => {
    const plan = realisticPlan("payments");
    const { world, address } = await planWorld([{ calls: [{ tool: "exit_plan_mode", args: plan }] }]);
    for (const locale of Object.keys(LOCALES)) {
      const { page, context } = await world.openPage({ size: { width: 320, height: 640 }, locale, touch: true });
      for (const [path, actions] of [
        ["", "hp-approval-card .decide"],
        ["/plan", "hp-decision-bar .actions"],
      ] as const) {
        await page.goto(`${address}${path}`);
        await page.locator(`${actions} .sign:enabled`).waitFor();
        for (const width of [320, 390]) {
          await page.setViewportSize({ width, height: 640 });
          const shown = page.locator(`${actions} .button:visible`);
          expect([locale, path, width, await shown.count()]).toEqual([locale, path, width, 3]);
          expect([locale, path, width, await brokenWords(page, actions)]).toEqual([locale, path, width, []]);
          const inside = await page.locator(actions).evaluate((one) => one.scrollWidth - one.clientWidth);
          expect([locale, path, width, inside]).toEqual([locale, path, width, 0]);
        }
      }
      await context.close();
    }
  },
  LONG_MS_MAX,
);

browserTest(
  "[UI-15] the sheet of a review holds what is needed less often, and edits the steps from there",
  async () => {
    const plan = realisticPlan("payments");
    const { world, address } = await planWorld([{ calls: [{ tool: "exit_plan_mode", args: plan }] }]);
    const { page, expectAccessible } = await world.openPage({ size: { width: 390, height: 844 }, touch: true });
    await page.goto(`${address}/plan`);
    await page.locator("hp-decision-bar .sign:enabled").waitFor();
    const bar = await page.locator("hp-decision-bar").boundingBox();
    expect(bar?.height ?? 844).toBeLessThan(844 / 8); // the plan has the rest of the screen
    await page.locator("hp-decision-bar").getByRole("button", { name: "More" }).click();
    await page.locator("hp-decision-bar").getByRole("button", { name: "Accept, allow edits" }).waitFor();
    await expectAccessible();
    await page.locator("hp-decision-bar").getByRole("button", { name: "Edit steps" }).click();
    await page.locator("hp-step-editor textarea:focus").waitFor();
  },
);

browserTest("[UI-15] the bar of a phone names the step that a link led to, and goes on from there", async () => {
  const plan = realisticPlan("refactor");
  const { world, address } = await planWorld([{ calls: [{ tool: "exit_plan_mode", args: plan }] }]);
  for (const size of [
    { width: 320, height: 640 },
    { width: 1440, height: 900 },
  ]) {
    const { page, context } = await world.openPage({ size });
    await page.goto(`${address}/plan#step-40`);
    const where = page.locator("hp-reading-bar .where");
    await expect.poll(() => where.textContent(), PATIENT).toBe("Step 40 of 70");
    for (const n of [41, 42, 43]) {
      await page.getByRole("button", { name: "Next step" }).click();
      await expect.poll(() => where.textContent(), PATIENT).toBe(`Step ${n} of 70`);
    }
    await page.getByRole("button", { name: "Previous step" }).click();
    await expect.poll(() => where.textContent(), PATIENT).toBe("Step 42 of 70");
    await context.close();
  }
});

browserTest(
  "[UI-07] the keyboard is never nowhere after a menu was closed or the last change was taken back",
  async () => {
    const plan = realisticPlan("payments");
    const { world, address } = await planWorld([{ calls: [{ tool: "exit_plan_mode", args: plan }] }]);
    const { page } = await world.openPage();
    await page.goto(`${address}/plan`);
    await page.locator("hp-decision-bar .sign:enabled").waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "Markdown" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page), PATIENT).toBe("Export");
    await page.goto(`${address}/plan?edit=steps`);
    await page.locator("hp-step-editor textarea:focus").waitFor();
    await page.getByRole("button", { name: "Remove step 1" }).first().click();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => focused(page), PATIENT).toBe("Undo");
  },
);
