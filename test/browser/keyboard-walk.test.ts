/** From the link to a signature with keys alone: the keyboard is always somewhere, seen there, and can go on from there. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { JsonObject } from "../../src/protocol/json.ts";
import { focused, planWorld, tabTo, waitingId } from "./cards-kit.ts";
import { browserTest, PATIENT } from "./page-world.ts";
import { realisticPlan } from "./realistic-plans.ts";

const plan = realisticPlan("payments");
const asJson = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
const submits = (args: unknown) => ({ calls: [{ tool: "exit_plan_mode", args: asJson(args) }] });
const [opening, ...others] = plan.plan;
const second = { ...plan, plan: [{ ...opening, step: "Build the index concurrently" }, ...others] };

type Keyboard = { isAt: string; isSeen: boolean; hasRing: boolean };

/** Where the keyboard is: in a place that is in sight and marked, unless it is a whole view, where reading begins. */
const keyboardIn = (page: Page): Promise<Keyboard> =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (at === null || at === document.body) return { isAt: "nowhere", isSeen: false, hasRing: false };
    const { top, bottom, width } = at.getBoundingClientRect();
    const rings = (one: Element): boolean => {
      const { outlineStyle, outlineWidth, borderBlockEndWidth } = getComputedStyle(one);
      // a field as wide as its dialog has the ring's line as its lower edge
      if (Number.parseFloat(borderBlockEndWidth) >= 2) return true;
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
    };
    const around = [at, at.parentElement?.closest("form, label")].filter((one) => one instanceof Element);
    return {
      isAt: at.localName,
      isSeen: width > 0 && bottom > 0 && top < innerHeight,
      hasRing: at.matches(".view") || around.some(rings),
    };
  });

async function expectKept(page: Page): Promise<void> {
  const kept = { isAt: expect.not.stringMatching(/nowhere/), isSeen: true, hasRing: true };
  await expect.poll(() => keyboardIn(page), PATIENT).toEqual(kept);
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await expectKept(page);
}

/** From the link to the plan: palette, inbox, card, plan. */
async function walkToThePlan(page: Page): Promise<void> {
  await expectKept(page); // the field of the start view
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search and commands" }).waitFor();
  await expectKept(page);
  await page.keyboard.type("inbox");
  await page.getByRole("option", { name: /^Inbox/ }).waitFor();
  await press(page, "Enter");
  await page.locator("a.item").waitFor();
  await press(page, "j");
  await expect.poll(() => focused(page), PATIENT).toContain(plan.title);
  await press(page, "Enter");
  await expect.poll(() => focused(page), PATIENT).toBe(plan.title); // its card
  await tabTo(page, "More"); // beside the plan the card has little room
  await press(page, "Enter");
  await tabTo(page, "Open plan");
  await press(page, "Enter");
  await page.locator("hp-decision-bar .sign:enabled").waitFor();
  await expectKept(page);
}

browserTest("[UI-07] [UI-15] read, note, edit, send back, read again and sign, with keys alone", async () => {
  const { world } = await planWorld([submits(plan), submits({ ...second, addresses: ["n1"] }), { say: "I begin." }]);
  await expect.poll(() => waitingId(world), PATIENT).not.toBe("");
  const { page, shot } = await world.openPage({ size: { width: 1280, height: 800 } });
  await walkToThePlan(page);

  await press(page, "j", "j", "j"); // faster than anybody sees where they are
  await page.locator("#step-3:focus").waitFor();
  await press(page, "k");
  await page.locator("#step-2:focus").waitFor();
  await press(page, "n");
  await page.keyboard.type("How long is it locked?");
  await press(page, "Escape"); // closes the form alone; the words stay
  await page.locator("#step-2:focus").waitFor();
  await press(page, "n");
  await press(page, "Control+Enter");
  await page.locator("#note-1").getByText("How long is it locked?").waitFor();
  await page.locator("#step-2:focus").waitFor();

  await press(page, "e");
  await page.locator("hp-step-editor textarea:focus").waitFor();
  await press(page, "End");
  await page.keyboard.type(" (online)");
  await shot("keys-editor");
  await press(page, "Escape"); // leaves the editor; the draft stays
  await page.getByText("You have an unfinished edit of this plan.").waitFor();

  await press(page, "a"); // at once: the buttons still rest, and the keyboard waits before them
  await page.locator("hp-decision-bar .sign:enabled").waitFor();
  await tabTo(page, "Revise");
  await press(page, "Enter");
  await page.keyboard.type("Say how the index is built.");
  await press(page, "Escape"); // closes the text alone
  expect(await focused(page)).toBe("Revise");
  await press(page, "Enter", "Control+Enter");
  await page.getByText("Revision 2 of 2").waitFor();
  await expectKept(page);
  await shot("keys-revision");

  await page.locator("hp-decision-bar .sign:enabled").waitFor();
  await press(page, "a");
  expect(await focused(page)).toBe("Accept");
  await press(page, "Enter"); // two keys
  await page.getByText("Being carried out").waitFor();
  await expectKept(page);
  await world.model.asked(3);
});

browserTest(
  "[UI-07] [PL-17] an edited plan is approved with keys alone, past all the fields of its steps",
  async () => {
    const { world, address } = await planWorld([submits(plan), { say: "I begin." }]);
    const { page, shot } = await world.openPage();
    await page.goto(`${address}/plan`);
    await page.locator("hp-decision-bar .sign:enabled").waitFor();
    await page.keyboard.press("e");
    await page.locator("hp-step-editor textarea:focus").waitFor();
    await press(page, "End");
    await page.keyboard.type(" (online)");
    await press(page, "Control+Enter");
    const dialog = page.getByRole("dialog", { name: "Approve with these changes?" });
    await dialog.waitFor();
    await page.locator("hp-confirm-edited").getByText("(online)").waitFor();
    await press(page, "Escape"); // back in the editor, nothing signed
    await dialog.waitFor({ state: "hidden" });
    await press(page, "Control+Enter");
    await page.locator("hp-confirm-edited .sign:enabled").waitFor();
    await shot("keys-confirm");
    await tabTo(page, "Approve edited plan");
    await press(page, "Enter");
    await page.getByText("Revision 2 of 2").waitFor();
    await expectKept(page);
    expect(JSON.stringify(await world.model.asked(2))).toContain("(online)");
  },
);
