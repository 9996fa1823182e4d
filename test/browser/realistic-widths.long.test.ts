/** Every realistic plan at every width, light and dark: no word is cut off, nothing scrolls sideways but what may. */
import { expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { planWorld, waitingId } from "./cards-kit.ts";
import { cutOff, smallTargets, tooWide } from "./every-view.ts";
import { browserTest, LONG_MS_MAX, PATIENT } from "./page-world.ts";
import { PLANS, realisticPlan } from "./realistic-plans.ts";
import { uglyPlan } from "./ugly-plan.ts";

const HEIGHT = 900;
const SHOWN = [
  ...(Object.keys(PLANS) as (keyof typeof PLANS)[]).map((name) => ({ name, planOf: () => realisticPlan(name) })),
  { name: "ugly", planOf: uglyPlan },
];

for (const { name, planOf } of SHOWN) {
  browserTest(
    `[UI-14] [UI-07] the plan "${name}" loses no word from 320 to 1440 pixels`,
    async () => {
      const plan = planOf();
      const { world, address } = await planWorld([{ calls: [{ tool: "exit_plan_mode", args: plan }] }]);
      const { page, shot } = await world.openPage({ size: { width: 320, height: HEIGHT } });
      for (const [path, element] of [
        ["/plan?edit=steps", "hp-step-editor"],
        ["/plan", "hp-plan-document"],
        ["", "hp-session-cards"],
      ] as const) {
        await page.goto(`${address}${path}`);
        await page.locator(element).first().waitFor();
        if (path === "/plan") await page.locator(`#step-${plan.plan.length}`).waitFor({ state: "attached" });
        for (const width of [320, 390, 768, 1440]) {
          await page.setViewportSize({ width, height: HEIGHT });
          for (const colorScheme of ["dark", "light"] as const) {
            await page.emulateMedia({ colorScheme });
            expect([path, width, await cutOff(page, element)]).toEqual([path, width, []]);
            expect([path, width, await tooWide(page)]).toEqual([path, width, []]);
            await shot(`${name}${path.replace("/", "-")}-${width}-${colorScheme}`);
          }
        }
      }
    },
    LONG_MS_MAX,
  );
}

browserTest("[UI-07] what a finger presses in a review is large enough for it", async () => {
  const plan = realisticPlan("payments");
  const { world, sessionId, address } = await planWorld([{ calls: [{ tool: "exit_plan_mode", args: plan }] }]);
  await expect.poll(() => waitingId(world), PATIENT).not.toBe("");
  const planNote = {
    action: "add" as const,
    approvalId: ApprovalId.parse(await waitingId(world)),
    anchor: { on: "step" as const, step: 2 },
    text: "Why?",
  };
  await world.person.must("sessions.patch", { sessionId, planNote });
  const { page, shot } = await world.openPage({ size: { width: 390, height: 844 }, touch: true });
  await page.goto(`${address}/plan`);
  await page.locator("#note-1").getByRole("button", { name: "Resolve" }).waitFor();
  await page.locator("hp-plan-document pre .keyword").first().waitFor({ state: "attached" });
  await shot("touch-review");
  expect(await smallTargets(page, "hp-plan-review")).toEqual([]);
  await page.getByRole("button", { name: "Write a note: Step 2" }).click();
  await page.getByRole("form", { name: "New note" }).waitFor();
  await shot("touch-note");
  expect(await smallTargets(page, "hp-plan-review")).toEqual([]);
});
