/** Saying something: commands, the mode chip and its keys, the queue, and long texts. */
import { describe, expect } from "vitest";
import { cardIn, composerIn, planWorld, submits } from "./cards-kit.ts";
import { browserTest, openWorld, PHONE, PATIENT } from "./page-world.ts";

describe("the composer", () => {
  browserTest("[UI-01] completes commands by keyboard and shows their replies to this person only", async () => {
    const { world, sessionId, address } = await planWorld([{ say: "Hello." }]);
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(address);
    await page.getByText("Hello.").waitFor();
    const composer = composerIn(page);
    await composer.pressSequentially("/pl");
    const list = page.getByRole("listbox", { name: "Commands" });
    await list.getByRole("option", { name: /^\/plan / }).waitFor();
    await shot("slash-wide");
    await expectAccessible();
    await page.keyboard.press("Tab");
    expect(await composer.inputValue()).toBe("/plan ");
    await list.getByRole("option", { name: /^\/plan status/ }).waitFor();
    await page.keyboard.press("Escape");
    expect(await list.isVisible()).toBe(false);
    await composer.pressSequentially("stat");
    await list.getByRole("option", { name: /^\/plan status/ }).waitFor();
    await page.keyboard.press("Enter");
    expect(await composer.inputValue()).toBe("/plan status ");
    await page.keyboard.press("Enter");
    await page.getByText("only you see this").waitFor();
    expect(await composer.inputValue()).toBe("");
    await shot("reply-wide");
    await expectAccessible();
    const { items } = await world.person.must("chat.history", { sessionId });
    expect(JSON.stringify(items)).not.toContain("/plan status");
  });

  browserTest(
    "[UI-03] changes the mode by menu and keys, never while somebody types, and asks where it matters",
    async () => {
      const { world, address } = await planWorld([{ say: "Hello." }]);
      const { page, shot, expectAccessible } = await world.openPage();
      await page.goto(address);
      await page.getByText("Hello.").waitFor();
      const chip = (name: string) => page.getByRole("button", { name: `Mode: ${name}`, exact: true });
      await chip("Plan").waitFor();
      await composerIn(page).focus();
      for (const key of ["1", "2", "3", "6"]) await page.keyboard.press(`Control+${key}`); // typing, in a shadow root
      await page.getByRole("log").focus();
      for (const keys of ["Control+Shift+1", "Alt+2", "Meta+3", "Control+Alt+1"]) await page.keyboard.press(keys);
      expect(await chip("Plan").count()).toBe(1);
      await page.evaluate(() => localStorage.setItem("holdpoint.ctrlDigits", "off")); // as in the settings: left to the browser
      await page.reload();
      await chip("Plan").waitFor();
      await page.getByRole("log").focus();
      await page.keyboard.press("Control+2");
      expect(await chip("Plan").count()).toBe(1);
      await page.keyboard.press("m");
      await page.getByRole("menuitemradio", { name: /^Ask/ }).waitFor();
      await page.keyboard.press("2");
      await chip("Ask").waitFor();
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false); // the keyboard is somewhere
      await page.evaluate(() => localStorage.setItem("holdpoint.ctrlDigits", "on"));
      await page.reload();
      await chip("Ask").waitFor();
      await page.getByRole("log").focus();
      await page.keyboard.press("Control+6");
      const sure = page.getByRole("dialog", { name: "Let everything run without asking?" });
      await sure.waitFor();
      await expectAccessible();
      await page.keyboard.press("Escape");
      await expect.poll(() => sure.count(), PATIENT).toBe(0);
      expect(await chip("Ask").count()).toBe(1);
      await chip("Ask").click();
      await page.getByRole("menuitemradio", { name: /^Accept/ }).waitFor();
      await shot("mode-menu-wide");
      await page.getByRole("menuitemradio", { name: /^Accept/ }).click();
      await chip("Accept").waitFor();
      await expect.poll(() => chip("Accept").evaluate((button) => button.matches(":focus")), PATIENT).toBe(true);
      await page.getByRole("log").focus();
      await page.keyboard.press("Control+4");
      await chip("Plan").waitFor();
    },
  );

  browserTest("[UI-01] shows what waits for its turn, keeps long texts whole, and stops the agent", async () => {
    const never = Promise.withResolvers<void>();
    const world = await openWorld({ script: [{ say: "Looking …", until: never.promise }, { say: "Stopped." }] });
    const { page, shot } = await world.openPage({ size: PHONE });
    const { session } = await world.person.must("sessions.create", { title: "Long" });
    await page.goto(`${world.url}/sessions/${session.id}`);
    const composer = composerIn(page);
    await composer.fill("Look.");
    await composer.press("Enter");
    await page.getByText("Looking …").waitFor();
    await composer.fill("And hurry.");
    await composer.press("Shift+Enter");
    expect(await composer.inputValue()).toBe("And hurry.\n");
    await composer.press("Enter");
    await page.getByText("1 message waits for its turn").waitFor();
    await page.getByText("And hurry.").waitFor();
    await shot("queue-phone");
    const long = `${"a long line ".repeat(6_000)}end`;
    await composer.fill(long);
    await page.getByText(/characters too long/).waitFor();
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    expect((await composer.inputValue()).endsWith("end")).toBe(true);
    await page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Stop" }).count(), PATIENT).toBe(0);
    never.resolve();
  });

  browserTest("[UI-02] is not taken away in the middle of a sentence", async () => {
    const go = Promise.withResolvers<void>();
    const { world, address } = await planWorld([{ until: go.promise, ...submits("Paint it") }]);
    const { page } = await world.openPage();
    await page.goto(address);
    await composerIn(page).fill("One more th");
    await composerIn(page).focus();
    go.resolve();
    await cardIn(page).waitFor();
    await page.keyboard.type("ing");
    expect(await composerIn(page).inputValue()).toBe("One more thing");
    await cardIn(page).getByText("Show the steps").click();
    await expect.poll(() => composerIn(page).isVisible(), PATIENT).toBe(false);
  });
});
