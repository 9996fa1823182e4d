/** Settings of the page and of the gateway, and who is logged in. */
import { describe, expect } from "vitest";
import { browserTest, openWorld, PHONE, PATIENT } from "./page-world.ts";

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

describe("the settings", () => {
  browserTest("[UI-07] change the configuration, with the gateway's own words where a value is no good", async () => {
    const world = await openWorld();
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage();
    await page.goto(`${world.url}/settings`);
    const quorum = page.getByLabel("Signatures that a plan needs");
    await quorum.fill("0");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").filter({ hasText: "approvals.quorum" }).waitFor();
    expect(await quorum.getAttribute("aria-invalid")).toBe("true");
    await shot("settings-problem-wide");
    await quorum.fill("2");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. It holds from now on.").waitFor();
    expect(await world.person.must("config.get", { path: "approvals.quorum" })).toMatchObject({ value: 2 });
    await page.getByLabel("What is asked about outside plan mode").selectOption("ask");
    expect(await world.person.must("config.get", { path: "agents.defaults.permissionMode" })).toMatchObject({
      value: "default", // choosing is not saving
    });
    await page.getByRole("button", { name: "Save" }).click();
    const saved = () => world.person.must("config.get", { path: "agents.defaults.permissionMode" });
    await expect.poll(async () => (await saved()).value, PATIENT).toBe("ask");
    await page.getByText(/Kept in .*config\.yaml/).waitFor();
    await expectAccessible();
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScrolling();
    await shot("settings-phone");
  });

  browserTest("[UI-01] log in another browser by a link, revoke it, and log this one out", async () => {
    const world = await openWorld();
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(`${world.url}/settings`);
    await page.getByRole("button", { name: "Log in another device" }).click();
    const link = await page.getByLabel("Link for the other device").inputValue();
    expect(link).toMatch(/#login=/);
    await shot("settings-wide");
    await expectAccessible();
    const other = await world.openStranger();
    await other.page.goto(link);
    await other.page.reload();
    await other.page.getByText("No sessions yet").waitFor();
    await page.reload();
    await page.getByText("this one").waitFor();
    await page.getByRole("button", { name: /^Revoke: Browser/ }).click();
    await page.locator("hp-dialog[open]").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked.").waitFor();
    await other.page.getByText("holdpoint link", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Log out of this browser" }).click();
    await page.getByText("holdpoint link", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("holdpoint link", { exact: true }).waitFor();
  });

  browserTest("[AU-07] [GA-14] schedule a job, run it, sign its plan for later runs, and remove it", async () => {
    const plan = [{ step: "Sweep the yard", status: "pending" }];
    const world = await openWorld({
      script: [
        { calls: [{ tool: "exit_plan_mode", args: { title: "Tidy up", plan } }] },
        ...Array.from({ length: 9 }, () => ({ say: "All right." })),
      ],
    });
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: WIDE });
    await page.goto(`${world.url}/settings`);
    const section = page.locator("hp-jobs-section");
    await section.getByText("Nothing is scheduled.").waitFor();
    await section.getByRole("button", { name: "New job" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Tidy up the yard"); // the field has the keyboard
    await page.getByRole("combobox", { name: "When" }).selectOption("cron");
    await page.getByRole("textbox", { name: /^Cron expression/ }).fill("not a time");
    await page.getByLabel("Name (optional)").fill("Night watch");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "not a time" }).waitFor();
    await shot("job-form-problem-wide");
    await expectAccessible();
    await page.setViewportSize(NARROW);
    await shot("job-form-390");
    await expectNoSidewaysScrolling();
    await page.getByRole("combobox", { name: "When" }).selectOption("every");
    await page.getByRole("spinbutton", { name: "Every" }).fill("2");
    await page.getByRole("button", { name: "Schedule it" }).click();
    await section.getByText("every 2 hours").waitFor();
    await section.getByText("Its runs only read.").waitFor();
    const menu = section.getByRole("button", { name: "More about the job Night watch" });
    await menu.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Run it now" }).waitFor();
    await shot("job-menu-390");
    await page.keyboard.press("Enter");
    await page.getByText("It runs now.").waitFor();
    const job = async () => (await world.person.must("cron.list", {})).jobs[0];
    await expect.poll(async () => (await job())?.proposalIn, PATIENT).toBeDefined();
    await page.locator("hp-timer-list").getByText("A scheduled job is due.").waitFor(); // AU-07: also what comes next
    await expectAccessible();
    await page.reload();
    await section.getByRole("link", { name: /^Read the plan that a run submitted/ }).click();
    await page.setViewportSize(WIDE);
    await page.getByRole("button", { name: "Accept for the job: 10 runs, 30 days", disabled: false }).click();
    const standing = async () => (await world.person.must("cron.standing", {})).standings[0];
    await expect.poll(standing, PATIENT).toMatchObject({ jobName: "Night watch" });
    await page.goto(`${world.url}/settings`);
    await section.getByText(/A plan stands for it: 0 of 10 runs used/).waitFor();
    await page.getByRole("heading", { name: "Scheduled jobs" }).scrollIntoViewIfNeeded();
    await shot("jobs-wide");
    await section.getByRole("button", { name: "Withdraw the plan: Night watch" }).click();
    await section.getByText("Plans that stood for it").click();
    await section.locator("details li", { hasText: "0 of 10 runs, signed by local" }).getByText("withdrawn").waitFor();
    await menu.click();
    await page.getByRole("menuitem", { name: "Switch off" }).click();
    await section.getByText("switched off", { exact: true }).waitFor();
    expect((await job())?.now).toEqual({ status: "off", why: "disabled" });
    await menu.click();
    await page.getByRole("menuitem", { name: "Remove it" }).click();
    await page.getByRole("heading", { name: "Remove this job?" }).waitFor();
    await shot("job-remove-wide");
    await page.locator("hp-dialog[open]").getByRole("button", { name: "Remove it" }).click();
    await section.getByText("Nothing is scheduled.").waitFor();
  });

  browserTest(
    "[AU-07] [AU-03] [UI-06] a job asks for a turn in a session, and all that comes is listed, in German",
    async () => {
      const world = await openWorld({
        planMode: { defaultActive: true, approvalTimeoutSeconds: 7_200 },
        script: [
          {
            calls: [{ tool: "exit_plan_mode", args: { title: "Streichen", plan: [{ step: "Pinsel holen" }] } }],
          },
        ],
      });
      const { session } = await world.person.must("sessions.create", { title: "Den Schuppen streichen" });
      await world.person.must("chat.send", { sessionId: session.id, text: "Streiche den Schuppen." });
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({
        size: NARROW,
        locale: "de",
        theme: "dark",
      });
      await page.goto(`${world.url}/settings`);
      await page.getByRole("button", { name: "Neuer Auftrag" }).click();
      await page.getByLabel("Was dem Agenten gesagt wird").fill("Schau nach dem Schuppen");
      await page.getByRole("combobox", { name: "Wo", exact: true }).selectOption({ label: "Den Schuppen streichen" });
      await page.getByText("Jeder Lauf in einer eigenen Sitzung").waitFor();
      await shot("job-form-390-de-dark");
      await expectNoSidewaysScrolling();
      await expectAccessible();
      await page.getByRole("button", { name: "Planen", exact: true }).click();
      await page.locator("hp-jobs-section").getByText("Abstand: 1 Stunde").waitFor();
      const { jobs } = await world.person.must("cron.list", {});
      expect(jobs).toMatchObject([
        { sessionId: session.id, work: { kind: "turn", message: "Schau nach dem Schuppen" } },
      ]);
      const timers = page.locator("hp-timer-list");
      await timers.getByText("Die Zeit zum Entscheiden läuft ab. Genehmigt wird dadurch nichts.").waitFor();
      await timers.getByText("Ein geplanter Auftrag ist fällig.").waitFor();
      await timers.scrollIntoViewIfNeeded();
      await shot("timers-390-de-dark");
      await expectNoSidewaysScrolling();
      await expectAccessible();
      await page.setViewportSize(WIDE);
      await timers.scrollIntoViewIfNeeded();
      await shot("timers-wide-de-dark");
      await timers.getByRole("link", { name: "Den Schuppen streichen" }).first().click();
      await page.waitForURL(`**/sessions/${session.id}`);
      await page.goto(`${world.url}/sessions/${session.id}/run`);
      await page.locator("hp-run-panel").getByText("Die Zeit zum Entscheiden läuft ab.").waitFor();
      await shot("timers-run-wide-de-dark");
    },
  );
});
