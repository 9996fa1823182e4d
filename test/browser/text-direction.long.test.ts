/** What is written from right to left is read from right to left, and the commands in it stay as they are typed. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { planWorld } from "./cards-kit.ts";
import { browserTest, PATIENT } from "./page-world.ts";

const STEP = "الخطوة: غيّر `config/schedule.yaml` ثم شغّل `npm test -- --watch` مرة أخرى";
const plan = {
  title: "نقل التصدير الليلي",
  analysis: `الملخص: اقرأ \`first.ts\` ثم \`second.ts\` وبعدها انتظر.`,
  plan: [
    { step: STEP, status: "pending" },
    { step: "Read `one.ts` and then `two.ts`", status: "pending" },
  ],
};

/** Where the pieces of code of a text begin, from the left. */
const codesIn = (page: Page, place: string): Promise<number[]> =>
  page
    .locator(`hp-plan-document ${place} code`)
    .evaluateAll((codes) => codes.map((code) => Math.round(code.getBoundingClientRect().left)));

browserTest("[UI-08] [UI-14] the order of commands in a step is the order in which its language is read", async () => {
  const { world, address } = await planWorld([{ calls: [{ tool: "exit_plan_mode", args: plan }] }]);
  const { page, shot } = await world.openPage({ size: { width: 1440, height: 900 } });
  await page.goto(`${address}/plan`);
  await page.locator("hp-decision-bar .sign:enabled").waitFor();
  await expect.poll(async () => (await codesIn(page, "#analysis")).length, PATIENT).toBe(2);
  await shot("right-to-left");
  for (const place of ["#step-1", "#analysis"]) {
    const [first = 0, second = 0] = await codesIn(page, place);
    expect([place, first > second]).toEqual([place, true]); // the first one stands at the right
  }
  const [first = 0, second = 0] = await codesIn(page, "#step-2");
  expect(first < second).toBe(true);
});
