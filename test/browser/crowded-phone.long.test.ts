/** A crowded plan on a phone, from reading to sending back: every word is in sight, every button under the thumb. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { planWorld, waitingId } from "./cards-kit.ts";
import { crowdedPlan, LONG_STEP_AT, SWITCH_AT, SWITCH_COMMANDS } from "./crowded-plan.ts";
import { cutOff, smallTargets, tooWide } from "./every-view.ts";
import { browserTest, LONG_MS_MAX } from "./page-world.ts";

const PHONE = { width: 320, height: 640 };
const submits = { calls: [{ tool: "exit_plan_mode", args: crowdedPlan() }] };

async function openCrowded(size = PHONE, touch = true) {
  const { world, address, sessionId } = await planWorld(() => submits);
  const opened = await world.openPage({ size, touch });
  await opened.page.goto(`${address}/plan`);
  await opened.page.locator("hp-decision-bar .sign:enabled").waitFor();
  return { world, address, sessionId, ...opened };
}

/** Of what it shows, whole, inside of the window. */
const isInSight = async (page: Page, found: Locator): Promise<boolean> => {
  const box = await found.boundingBox();
  const size = page.viewportSize();
  if (box === null || size === null) return false;
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height;
};

async function addNote(page: Page, step: number, words: string): Promise<void> {
  await page.getByRole("button", { name: `Write a note: Step ${step}`, exact: true }).click();
  await page.getByRole("textbox", { name: "Note" }).fill(words);
  await page.getByRole("button", { name: "Add note" }).click();
}

browserTest("[UI-05, UI-07, UI-14] a wide command in a risk or a step cuts off no word from 320 to 1440", async () => {
  const { page } = await openCrowded();
  await page.locator("hp-plan-document .risks pre").waitFor();
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 640 });
    expect([width, await cutOff(page, "hp-plan-document")]).toEqual([width, []]);
    expect([width, await tooWide(page)]).toEqual([width, []]);
  }
});

browserTest("[UI-15] a step on a phone has all of its width for words, tables and code", async () => {
  const { page } = await openCrowded();
  for (const part of ["#step-1 pre", "#step-2 table", `#step-${LONG_STEP_AT} ol`]) {
    const box = await page.locator("hp-plan-document").locator(part).first().boundingBox();
    expect([part, (box?.width ?? 0) > PHONE.width * 0.8]).toEqual([part, true]);
  }
  expect(await smallTargets(page, "hp-plan-review")).toEqual([]);
});

browserTest("[UI-02, UI-07] each command stands in a box of its own, above the plan and in its step", async () => {
  const { page, expectAccessible } = await openCrowded();
  for (const place of ["hp-at-a-glance", `#step-${SWITCH_AT}`]) {
    const boxes = await Promise.all(
      SWITCH_COMMANDS.map((command) => page.locator(place).locator(".entry", { hasText: command }).boundingBox()),
    );
    const [first, second] = boxes;
    expect([place, (first?.y ?? 0) + (first?.height ?? 0) <= (second?.y ?? 0)]).toEqual([place, true]);
  }
  await page
    .locator("hp-at-a-glance")
    .getByText(`Steps that cannot be undone, without a way back: ${SWITCH_AT}.`)
    .waitFor();
  await expectAccessible();
});

browserTest("[UI-13, UI-15] notes and the words of a send-back leave their buttons in sight", async () => {
  const { page } = await openCrowded();
  await addNote(page, LONG_STEP_AT, "Who watches at night?");
  const note = page.locator("hp-note-thread").filter({ hasText: "Who watches at night?" });
  await note.waitFor();
  await expect.poll(() => isInSight(page, note.getByRole("button", { name: "Resolve" }))).toBe(true);
  const bar = page.locator("hp-decision-bar");
  await bar.getByRole("button", { name: "Revise", disabled: false }).click();
  await bar.getByText("1 open note goes along").waitFor();
  const send = bar.getByRole("button", { name: "Send back to the agent" });
  expect(await isInSight(page, send)).toBe(true);
  expect(await isInSight(page, bar.getByRole("textbox"))).toBe(true);
  const height = (await bar.boundingBox())?.height ?? PHONE.height;
  expect(height).toBeLessThan(PHONE.height / 2);
});

browserTest(
  "[UI-14] steps of many lines are named by their first, in the contents, the drawing and the choice",
  async () => {
    const { page } = await openCrowded({ width: 1440, height: 900 }, false);
    const links = page.getByRole("navigation", { name: "Contents" }).locator("a.sub");
    expect((await links.allTextContents()).map((text) => text.trim()).slice(0, LONG_STEP_AT)).toEqual([
      "1 Create the cluster in infra/checkout/postgres.tf",
      "2 Compare counts and checksums, table by table",
      "3 Rehearse on staging, in this order:",
    ]);
    await page.getByRole("button", { name: "Sign only some steps" }).click();
    await page.locator("hp-step-picker").getByText("Rehearse on staging, in this order: …", { exact: true }).waitFor();
    expect(await page.locator("hp-step-picker").getByText("```").count()).toBe(0);
  },
);

browserTest("[UI-14, UI-06] a warning is one, an address is a link, a list begins where its words do", async () => {
  const { page, expectAccessible } = await openCrowded({ width: 1440, height: 900 }, false);
  const plan = page.locator("hp-plan-document");
  await plan.locator("#summary .alert.warning strong").getByText("Warning", { exact: true }).waitFor();
  expect(await plan.getByText("[!WARNING]").count()).toBe(0);
  await plan.locator("#references a[href^='https://grafana']").waitFor();
  expect(await plan.locator("#analysis ol").getAttribute("dir")).toBe("rtl");
  await expectAccessible();
});

browserTest(
  "[UI-13] whoever edits is told beside the button that another revision came",
  async () => {
    const { world, page, address, sessionId } = await openCrowded({ width: 1440, height: 900 }, false);
    await page.goto(`${address}/plan?edit=steps`);
    const last = page.getByRole("textbox", { name: `Text of step ${SWITCH_AT}`, exact: true });
    await last.fill("Switch the writers at night");
    const approvalId = ApprovalId.parse(await waitingId(world));
    const planApproval = { action: "reject" as const, approvalId, feedback: "Again, please." };
    await world.person.must("sessions.patch", { sessionId, planApproval });
    await world.model.asked(2); // the agent answers with another revision
    const told = page.getByText("Revision 2 came while you edited revision 1.", { exact: false });
    await told.waitFor();
    expect(await isInSight(page, told)).toBe(true);
    expect(await last.inputValue()).toBe("Switch the writers at night");
  },
  LONG_MS_MAX,
);
