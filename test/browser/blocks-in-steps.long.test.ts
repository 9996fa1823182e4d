/** Steps and criteria that hold whole blocks, such as a list, are as dense as the plan around them. */
import { expect } from "vitest";
import { planWorld } from "./cards-kit.ts";
import { browserTest } from "./page-world.ts";

const plan = {
  title: "Blocks",
  plan: [{ step: "In order:\n\n- one\n- two", status: "pending", acceptanceCriteria: ["Both:\n- a\n  - b"] }],
};
/** Less than an empty line would take. */
const GAP_PX_MAX = 20;

browserTest("[UI-14] no empty lines stand between the lines of a list in a step or a criterion", async () => {
  const { world, address } = await planWorld([{ calls: [{ tool: "exit_plan_mode", args: plan }] }]);
  const { page, shot } = await world.openPage({ size: { width: 1440, height: 900 } });
  await page.goto(`${address}/plan`);
  const document = page.locator("hp-plan-document");
  await document.locator("#step-1 li", { hasText: /^b$/ }).waitFor();
  await shot("blocks-in-steps");
  for (const [above, below] of [
    ["In order:", "one"],
    ["one", "two"],
    ["Both:", "a"],
  ] as const) {
    const over = await document.getByText(above, { exact: true }).first().boundingBox();
    const under = await document
      .locator("li", { hasText: new RegExp(`^\\s*${below}`) })
      .last()
      .boundingBox();
    const gap = (under?.y ?? 0) - (over?.y ?? 0) - (over?.height ?? 0);
    expect([above, gap < GAP_PX_MAX]).toEqual([above, true]);
  }
});
