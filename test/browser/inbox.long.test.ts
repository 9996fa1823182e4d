/** What waits in all sessions: decided from the list, by mouse and by keys; and how a person hears of it. */
import { describe, expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { JobId } from "../../src/scheduler/protocol/schedule.ts";
import { acceptIn, cardIn, focused, planWorld, submits, tabTo } from "./cards-kit.ts";
import { browserTest, openWorld, PHONE, PATIENT } from "./page-world.ts";

const LAWN = {
  title: "Mow the lawn",
  plan: [{ step: "Mow it", status: "pending" }],
  risks: [{ risk: "There may be stones", mitigation: "Walk over it first" }],
};

/** Two sessions with a plan each, one of which names a risk. */
async function twoWait() {
  const { world, sessionId } = await planWorld([
    submits("Paint the shed"),
    { calls: [{ tool: "exit_plan_mode", args: LAWN }] },
    { say: "I begin." },
  ]);
  await world.model.asked(1);
  const { session } = await world.person.must("sessions.create", { title: "The lawn" });
  await world.person.must("chat.send", { sessionId: session.id, text: "Mow it." });
  return { world, shed: sessionId, lawn: session.id };
}

/** What stands in the field that has the keyboard, inside shadow roots too. */
const ACTIVE_VALUE = `(() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at?.value;
})()`;

describe("the inbox", () => {
  browserTest("[UI-01] lists what waits, due first, and decides from the list by keys", async () => {
    const { world } = await twoWait();
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(`${world.url}/inbox`);
    const items = page.locator("a.item");
    await expect.poll(() => items.count(), PATIENT).toBe(2);
    expect(await items.allInnerTexts()).toEqual([
      expect.stringContaining("Paint the shed"),
      expect.stringContaining("Mow the lawn"),
    ]);
    await page.getByText("1 risk named").waitFor();
    await shot("inbox-wide");
    await expectAccessible();
    await page.keyboard.press("j");
    await expect.poll(() => focused(page), PATIENT).toContain("Paint the shed");
    await page.keyboard.press("j");
    await expect.poll(() => focused(page), PATIENT).toContain("Mow the lawn");
    await page.keyboard.press("k");
    await page.keyboard.press("r");
    const text = cardIn(page).getByRole("textbox", { name: "What should change?" });
    await expect.poll(() => text.evaluate((field) => field.matches(":focus")), PATIENT).toBe(true);
    await page.keyboard.type("aajj"); // words, not keys
    expect(await text.inputValue()).toBe("aajj");
    await page.keyboard.press("Escape");
    await page.keyboard.press("a");
    await expect.poll(() => focused(page), PATIENT).toBe("Paint the shed");
    await page.keyboard.press("a"); // opens, and never decides
    await acceptIn(page).waitFor();
    await shot("inbox-open-wide");
    await expectAccessible();
    await tabTo(page, "Accept");
    await page.keyboard.press("Enter");
    await page.getByText(/Accepted by local \(you\)/).waitFor();
    await expect.poll(() => items.count(), PATIENT).toBe(1);
    await page.getByRole("link", { name: /Mow the lawn/ }).click();
    await expect.poll(() => focused(page), PATIENT).toBe("Mow the lawn"); // its card, in its session
  });

  browserTest(
    "[UI-15] filters, and does with several at once what decides nothing; leads anywhere by keys",
    async () => {
      const { world, lawn } = await twoWait();
      const { page, context, shot, expectAccessible } = await world.openPage();
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.locator("hp-work-place").getByText("main", { exact: true }).waitFor();
      await page.getByText(world.workspace, { exact: true }).waitFor(); // home names folder, agent and model
      await shot("home-place-wide");
      await page.goto(`${world.url}/inbox`);
      const items = page.locator("a.item");
      await expect.poll(() => items.count(), PATIENT).toBe(2);
      await page.getByText("1 risk named").waitFor();
      await page.getByRole("button", { name: "With risks" }).click();
      expect(await items.allInnerTexts()).toEqual([expect.stringContaining("Mow the lawn")]);
      await page.getByRole("button", { name: "Questions", exact: true }).click();
      await page.getByText("Nothing that waits fits this.").waitFor();
      await page.getByRole("button", { name: "All", exact: true }).click();
      await page.getByLabel("Find in the inbox").fill("shed");
      await expect.poll(() => items.count(), PATIENT).toBe(1);
      await page.getByLabel("Find in the inbox").fill("");
      await page.getByRole("checkbox", { name: "Select Paint the shed" }).check();
      await items.nth(1).focus();
      await page.keyboard.press("x");
      await page.getByText("2 selected").waitFor();
      await shot("inbox-selected-wide");
      await expectAccessible();
      const accepts = await page.locator("hp-bulk-bar").getByRole("button").allInnerTexts();
      expect(accepts.map((text) => text.trim())).toEqual([
        "Mark as read",
        "Mark as unread",
        "Copy the links",
        "Save the plans",
        "Clear the selection",
      ]);
      await page.getByRole("button", { name: "Copy the links" }).click();
      await page.getByText("The links are copied.").waitFor();
      expect((await page.evaluate(() => navigator.clipboard.readText())).split("\n")).toHaveLength(2);
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save the plans" }).click();
      expect((await saving).suggestedFilename()).toBe("plans.md");
      await page.getByRole("button", { name: "Mark as read" }).click();
      await page.getByRole("button", { name: "Unread", exact: true }).click();
      await page.getByText("Nothing that waits fits this.").waitFor();
      await page.getByRole("button", { name: "All", exact: true }).click();
      await page.locator("h1").focus();
      await page.keyboard.press("w"); // the first that waits, then the next
      await expect.poll(() => page.url(), PATIENT).toContain("?card=");
      await page.keyboard.press("Control+k");
      const palette = page.getByRole("combobox", { name: "Search and commands" });
      await palette.waitFor();
      await page.getByRole("option", { name: /^Mow the lawn/ }).waitFor();
      await shot("palette-wide");
      await expectAccessible();
      await palette.fill("lawn");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.url(), PATIENT).toContain(lawn);
      await page.keyboard.press("Control+k");
      await palette.fill("approval deadline");
      await palette.fill("model");
      await page.getByRole("option", { name: /agents\.defaults\.model/ }).click();
      await expect.poll(() => page.url(), PATIENT).toContain("/settings?at=agents.defaults.model");
      await expect.poll(() => page.evaluate(ACTIVE_VALUE), PATIENT).toBe("demo");
      const { sessions } = await world.person.must("sessions.list", { waiting: true });
      expect(sessions).toHaveLength(2); // nothing was decided
    },
  );

  browserTest("[UI-01] [UI-07] is empty with a word, fits a phone, and says who decided what was open", async () => {
    const { world, lawn } = await twoWait();
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: PHONE });
    await page.goto(`${world.url}/inbox`);
    await page.getByRole("button", { name: "Decide on Mow the lawn" }).click();
    await acceptIn(page).waitFor();
    const bar = cardIn(page).getByRole("group", { name: "What to do" });
    expect(await bar.getByRole("button").allInnerTexts()).toEqual(["Accept", "Revise", ""]); // two, and the rest in a sheet
    const thumb = await bar.boundingBox();
    expect((thumb?.y ?? 0) + (thumb?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
    expect(thumb?.y ?? 0).toBeGreaterThan(PHONE.height / 2);
    await shot("inbox-phone");
    await expectNoSidewaysScrolling();
    await bar.getByRole("button", { name: "More" }).click();
    await cardIn(page).getByRole("button", { name: "Accept, allow edits" }).waitFor();
    await shot("inbox-sheet-phone");
    await expectAccessible();
    await page.keyboard.press("Escape");
    await expectAccessible();
    const { sessions } = await world.person.must("sessions.list", { waiting: true });
    for (const { id, waiting } of sessions) {
      const approvalId = ApprovalId.parse(waiting?.id);
      const planApproval = { action: "reject" as const, approvalId, feedback: "No." };
      await world.person.must("sessions.patch", { sessionId: id, planApproval });
      if (id === lawn) await page.getByText(/Sent back by local/).waitFor();
    }
    await page.getByText("Plans and questions of all sessions come here").waitFor();
    await shot("inbox-empty-phone");
    await expectAccessible();
  });

  browserTest(
    "[UI-07] [UI-15] the filters of a phone take one line, and the last of them is reached in it",
    async () => {
      const { world } = await twoWait();
      const { page, shot, expectNoSidewaysScrolling } = await world.openPage({ size: PHONE });
      await page.goto(`${world.url}/inbox`);
      const filters = page.getByRole("group", { name: "What to show" }).getByRole("button");
      await filters.first().waitFor();
      const lines = await filters.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      expect([lines.length, new Set(lines).size]).toEqual([6, 1]);
      await shot("inbox-filters-phone");
      await filters.last().focus();
      const last = await filters.last().boundingBox();
      expect((last?.x ?? PHONE.width) + (last?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
      await expectNoSidewaysScrolling();
    },
  );

  browserTest("[GA-14, UI-01] signs the plan of a job's run for the job, lists it, and withdraws it", async () => {
    const world = await openWorld({ script: [submits("Tidy up"), { say: "All right." }] });
    const job = { when: { everyMs: 3_600_000 }, name: "Night watch", message: "tidy up" };
    const { jobId } = await world.person.must("cron.add", { job });
    await world.person.must("cron.run", { jobId: JobId.parse(jobId) });
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(`${world.url}/inbox`);
    await page.getByRole("button", { name: "Decide on Tidy up" }).click();
    await page
      .getByText('A plan of the scheduled job "Night watch" of local waits for your signature', { exact: true })
      .waitFor();
    const sign = page.getByRole("button", { name: "Accept for the job: 10 runs, 30 days", disabled: false });
    await sign.waitFor();
    await shot("inbox-job-wide");
    await expectAccessible();
    await sign.click();
    await page.getByText("Your answer was sent.").waitFor();
    await page.goto(`${world.url}/settings`);
    await page.getByText(/A plan stands for it: 0 of 10 runs used/).waitFor();
    await expectAccessible();
    await page.getByRole("button", { name: "Withdraw the plan: Night watch" }).click();
    await page.getByText("The standing plan was withdrawn.").waitFor();
    await page.getByText("Its runs only read.").waitFor();
    await page.locator("hp-jobs-section a").first().click(); // the transcript of the run
    await expect.poll(() => page.url(), PATIENT).toContain("/sessions/ses_");
    const { standings } = await world.person.must("cron.standing", {});
    expect(standings).toMatchObject([{ jobName: "Night watch", ended: { why: "withdrawn" } }]);
  });

  browserTest("[UI-07] notifies where a person allowed it, and leads from there to the card", async () => {
    const world = await openWorld({
      script: [submits("Paint the shed"), { say: "All right." }],
      planMode: { defaultActive: true },
    });
    const { page } = await world.openPage();
    await page.addInitScript(() => {
      const told: unknown[] = [];
      Reflect.set(globalThis, "told", told);
      let permission: NotificationPermission = "default"; // this browser has no screen to ask on
      Reflect.defineProperty(Notification, "permission", { get: () => permission });
      Notification.requestPermission = async () => (permission = "granted");
      Reflect.set(Document.prototype, "hasFocus", () => false); // the person looks elsewhere
      ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
        void told.push({ title, ...options });
    });
    await page.goto(`${world.url}/inbox`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const told = (): Promise<unknown> => page.evaluate(() => Reflect.get(globalThis, "told"));
    const box = page.getByRole("checkbox", { name: "Show notifications in this browser" });
    expect(await box.isChecked()).toBe(false); // off until a person wants it
    expect(await page.getByRole("checkbox", { name: "Play a short tone" }).isChecked()).toBe(false);
    await box.click();
    await expect.poll(() => box.isChecked(), PATIENT).toBe(true);
    const { session } = await world.person.must("sessions.create", { title: "The shed" });
    await world.person.must("chat.send", { sessionId: session.id, text: "Paint it." });
    await page.locator("a.item").waitFor();
    const { sessions } = await world.person.must("sessions.list", { waiting: true });
    const id = sessions[0]?.waiting?.id;
    const href = `/sessions/${session.id}?card=${id}`;
    await expect.poll(told, PATIENT).toEqual([
      {
        title: "A plan waits for your signature",
        body: "Paint the shed\nThe shed",
        tag: id,
        icon: "/icon-192.png",
        badge: "/icon-192.png",
        data: { href },
      },
    ]);
    expect(await page.title()).toMatch(/^\(1\) /);
    await page.evaluate(
      (data) => {
        navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data })); // as the worker sends it
      },
      { href },
    );
    await expect.poll(() => focused(page), PATIENT).toBe("Paint the shed");
    expect(page.url()).toBe(`${world.url}${href}`);
  });
});
