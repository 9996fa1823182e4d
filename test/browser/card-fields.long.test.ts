/** The fields of a card: what is empty is not sent, and Escape closes the field and nothing else. */
import { describe, expect } from "vitest";
import { acceptIn, cardIn, composerIn, planWorld, submits } from "./cards-kit.ts";
import { browserTest, PATIENT } from "./page-world.ts";

const asks = {
  calls: [
    {
      tool: "ask_user_question",
      args: { question: "Which blue?", options: ["Sky", "Navy"], allowFreetext: true },
    },
  ],
};

describe("a field of a card", () => {
  browserTest("[UI-02, PL-07] sends nothing back without words", async () => {
    const { world, sessionId, address } = await planWorld([submits("Paint the shed red"), { say: "Done." }]);
    const { page } = await world.openPage();
    await page.goto(address);
    const card = cardIn(page);
    await card.getByRole("button", { name: "Revise", disabled: false }).click();
    const text = card.getByRole("textbox", { name: "What should change?" });
    await text.fill("  \n ");
    await page.keyboard.press("Control+Enter");
    await card.getByRole("button", { name: "Send back" }).click();
    await expect.poll(() => text.evaluate((field) => field.matches(":focus")), PATIENT).toBe(true);
    const { session } = await world.person.must("sessions.get", { sessionId });
    expect(session.waiting).toMatchObject({ kind: "approval" });
  });

  browserTest(
    "[UI-02] of a question is left with Escape, which leads back to the options and keeps the words",
    async () => {
      const { world, address } = await planWorld([asks, { say: "Thanks." }]);
      const { page } = await world.openPage();
      await page.goto(address);
      const card = cardIn(page, /The agent has a question/);
      const other = card.getByRole("button", { name: "Other …", disabled: false });
      await other.click();
      const text = card.getByRole("textbox", { name: "Your answer" });
      await text.fill("The one of the door");
      await page.keyboard.press("Escape");
      expect(await text.count()).toBe(0);
      await other.click();
      expect(await text.inputValue()).toBe("The one of the door");
      await page.keyboard.press("Escape");
      await card.getByRole("button", { name: /^Navy/ }).click();
      await page.getByText(/answered: Navy/).waitFor();
    },
  );
});

browserTest("[UI-02] the buttons of a card are in sight, however much its plan touches", async () => {
  const plan = Array.from({ length: 60 }, (_, n) => ({
    step: `Change part ${n}`,
    status: "pending",
    scope: { paths: [`src/part-${n}.ts`], commands: [`npm test -- part-${n}`] },
  }));
  const { world, address } = await planWorld([{ calls: [{ tool: "exit_plan_mode", args: { title: "Parts", plan } }] }]);
  const { page, shot, expectAccessible } = await world.openPage({ size: { width: 1440, height: 900 } });
  await page.goto(address);
  await acceptIn(page).waitFor();
  await shot("card-touches-much");
  const inSight = (): Promise<boolean> =>
    acceptIn(page).evaluate((button) => {
      const { left, top, bottom } = button.getBoundingClientRect();
      return bottom <= innerHeight && document.elementFromPoint(left + 4, top + 4) !== null;
    });
  expect(await inSight()).toBe(true);
  await expectAccessible();
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(inSight, PATIENT).toBe(true);
  await shot("card-touches-much-phone");
});

browserTest("[UI-04] a card stands in its own session alone", async () => {
  const { world, address } = await planWorld([submits("Paint the shed red")]);
  const { session } = await world.person.must("sessions.create", { title: "The fence", role: "worker" });
  const { page } = await world.openPage();
  await page.goto(address);
  await acceptIn(page).waitFor();
  await page.getByRole("link", { name: /The fence/ }).click();
  await expect.poll(() => page.url(), PATIENT).toContain(session.id);
  await composerIn(page).waitFor();
  expect(await cardIn(page).count()).toBe(0);
  await page.goBack();
  await acceptIn(page).waitFor();
});
