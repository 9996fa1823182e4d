/** The page in a real browser, from the link in the terminal to an answer in the conversation. */
import { describe, expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { browserTest, DESK, openWorld, PHONE, PATIENT } from "./page-world.ts";

const ANSWER = `The shed is blue, and has been since the spring.

- Its door sticks.
- The roof wants tar before winter; see notes/roof.md`;

/** A session that has been talked in, as it looks on any screen. */
async function talkedIn() {
  const world = await openWorld({ script: [{ say: ANSWER }] });
  const { session } = await world.person.must("sessions.create", { title: "Which colour has the shed?" });
  await world.person.must("sessions.create", { title: "Rename the export job and move its schedule to Sunday night" });
  await world.person.must("chat.send", { sessionId: session.id, text: "Which colour has the shed? Look it up." });
  const address = `${world.url}/sessions/${session.id}`;
  return { world, session, address };
}

describe("the page", () => {
  browserTest("[UI-01] goes from the link to an answer, live, and by keyboard", async () => {
    const world = await openWorld({ script: [{ say: ["The shed ", "is blue."] }] });
    const { page, shot, expectAccessible } = await world.openPage();
    expect(new URL(page.url()).hash).toBe("");
    await page.getByText("No sessions yet").waitFor();
    await shot("home-wide");
    await expectAccessible();
    const isFocused = (field: HTMLElement | SVGElement): boolean => field.matches(":focus");
    const home = page.getByRole("textbox", { name: "What shall be done?" });
    await expect.poll(() => home.evaluate(isFocused), PATIENT).toBe(true);
    await page.keyboard.type("Which colour has the shed?"); // every letter of it, though some are keys of the shell
    await page.keyboard.press("Enter");
    await page.getByText("The shed is blue.").waitFor();
    const composer = page.getByRole("textbox", { name: "Message" });
    await expect.poll(() => composer.evaluate(isFocused), PATIENT).toBe(true);
    await page.getByRole("heading", { level: 1, name: "Which colour has the shed?" }).waitFor();
    await page.getByRole("link", { name: /Which colour has the shed\?/ }).waitFor();
    await page.keyboard.type("n?/"); // typing, not commanding
    expect(await composer.inputValue()).toBe("n?/");
  });

  browserTest("[UI-01] tells a stranger how to get in, and takes a pasted link", async () => {
    const world = await openWorld();
    const { page, shot, expectAccessible } = await world.openStranger({ size: PHONE, theme: "dark" });
    await page.getByText("holdpoint link", { exact: true }).waitFor();
    await shot("stranger-phone");
    await expectAccessible();
    await page.getByLabel("Or paste the link here").fill("not a link");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("This is no link to log in with.").waitFor();
    await page.getByLabel("Or paste the link here").fill("http://x/#login=wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("alert").waitFor();
    const { fragment } = await world.person.must("tokens.link", {});
    await page.getByLabel("Or paste the link here").fill(`${world.url}/${fragment}`);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("No sessions yet").waitFor();
  });

  browserTest("[UI-07] is readable and usable on a phone and on a wide screen, in both themes", async () => {
    const { world, address } = await talkedIn();
    for (const [name, size] of Object.entries({ phone: PHONE, wide: DESK })) {
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size });
      await page.getByRole("link", { name: /Rename the export job/ }).waitFor();
      await shot(`list-${name}`);
      await expectNoSidewaysScrolling();
      await page.goto(address);
      await page.getByText("Its door sticks.").waitFor();
      await expectNoSidewaysScrolling();
      await expectAccessible();
      await shot(`chat-${name}-light`);
      await page.emulateMedia({ colorScheme: "dark" });
      await shot(`chat-${name}-dark`);
      await page.context().close();
    }
  });

  browserTest("[UI-07] every view is accessible, the list of keys too", async () => {
    const { world, address } = await talkedIn();
    const { page, shot, expectAccessible } = await world.openPage();
    for (const path of ["/inbox", "/audit", "/settings", `${address}/plan`, `${address}/timeline`, "/help"]) {
      await page.goto(new URL(path, world.url).href);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expectAccessible();
    }
    await page.goto(`${world.url}/settings`);
    await page.getByLabel("Theme").waitFor();
    await shot("settings-wide");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await shot("keys-wide");
    await expectAccessible();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count(), PATIENT).toBe(0);
  });

  browserTest("[UI-06] switches its language without a reload, and remembers it", async () => {
    const world = await openWorld();
    const { page } = await world.openPage();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("heading", { level: 1, name: "Einstellungen" }).waitFor();
    await page.getByRole("button", { name: "Neue Sitzung" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("de");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Einstellungen" }).waitFor();
  });

  browserTest(
    "[UI-04] says that the gateway is away, keeps what is typed, and comes back without a reload",
    async () => {
      const { world, address } = await talkedIn();
      const { page, shot } = await world.openPage();
      await page.goto(address);
      const composer = page.getByRole("textbox", { name: "Message" });
      await composer.fill("half a thought");
      await world.stop();
      await page.getByText("The gateway is out of reach. Trying again").waitFor();
      expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
      await shot("away-wide");
      await world.start();
      await page.getByText("Connected again.").waitFor();
      expect(await composer.inputValue()).toBe("half a thought");
      await page.reload();
      await composer.waitFor();
      expect(await composer.inputValue()).toBe("half a thought");
    },
  );

  browserTest("[UI-01] shows at once what waits for a person, in the list, the menu and the title", async () => {
    const plan = { title: "Paint the shed", plan: [{ step: "buy paint", status: "pending" }] };
    const world = await openWorld({
      script: [{ calls: [{ tool: "exit_plan_mode", args: plan }] }],
      planMode: { defaultActive: true },
    });
    const { page, shot, expectAccessible } = await world.openPage();
    await page.getByText("No sessions yet").waitFor();
    const { session } = await world.person.must("sessions.create", { title: "Paint the shed" });
    await world.person.must("chat.send", { sessionId: session.id, text: "Paint it." });
    await page.getByRole("link", { name: /Paint the shed\s+waits for you/ }).waitFor();
    await page.getByRole("link", { name: /Inbox\s+1 decision waits for you/ }).waitFor();
    expect(await page.title()).toMatch(/^\(1\) /);
    await shot("waiting-wide");
    await expectAccessible();
    const { sessions } = await world.person.must("sessions.list", { waiting: true });
    const approvalId = ApprovalId.parse(sessions[0]?.waiting?.id);
    const planApproval = { action: "reject" as const, approvalId, feedback: "Blue, please." };
    await world.person.must("sessions.patch", { sessionId: session.id, planApproval });
    await page.getByRole("link", { name: "Inbox", exact: true }).waitFor();
  });

  browserTest("[UI-01] archives a session and finds it again", async () => {
    const { world, address } = await talkedIn();
    const { page } = await world.openPage();
    await page.goto(address);
    await page.getByRole("button", { name: "About this session" }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await page.getByText("Archived. You find it").waitFor();
    const link = page.getByRole("link", { name: /Which colour/ });
    await expect.poll(() => link.count(), PATIENT).toBe(0);
    await page.getByRole("button", { name: "Show archived" }).click();
    await link.waitFor();
    await page.getByRole("searchbox").fill("no such words");
    await page.getByText("Nothing matches “no such words”.").waitFor();
    expect(await link.count()).toBe(0);
  });
});
