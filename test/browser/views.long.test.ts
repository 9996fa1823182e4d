/** Every view, by the same checks: names and contrast (axe, both themes), keyboard, narrow windows, long texts. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { NAME_OF_A_TEXT, tabStops, tooWide } from "./every-view.ts";
import { browserTest, DESK, openWorld, PHONE, type World, PATIENT } from "./page-world.ts";

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const LONG = "supercalifragilisticexpialidocious".repeat(4);
const plan = [
  { step: `Move ${LONG} to the new place`, status: "pending", acceptanceCriteria: ["it is there", LONG] },
  { step: "Look whether it works", status: "pending" },
];

/** One session in which everything has happened, and one whose plan waits; the addresses of all views. */
async function livedIn(): Promise<{ world: World; addresses: string[] }> {
  const submit = { calls: [{ tool: "exit_plan_mode", args: { title: `Move ${LONG}`, summary: LONG, plan } as never }] };
  const world = await openWorld({
    planMode: { defaultActive: true },
    script: [
      { calls: [{ tool: "write", args: { path: "a.txt", content: LONG } }] },
      submit,
      {
        calls: [{ tool: "update_plan", args: { merge: true, plan: [{ ...plan[0], status: "in_progress" }] } as never }],
      },
      { say: `Half way with \`${LONG}\`.\n\n| a | b |\n|---|---|\n| ${LONG} | 1 |` },
      submit,
    ],
  });
  const waitingIn = async (sessionId: string) =>
    (await world.person.must("sessions.list", { waiting: true })).sessions.find(({ id }) => id === sessionId)?.waiting
      ?.id;
  const open = async (title: string) => {
    const { session } = await world.person.must("sessions.create", { title });
    await world.person.must("chat.send", { sessionId: session.id, text: `Do ${LONG}` });
    await expect.poll(() => waitingIn(session.id), PATIENT).toBeDefined();
    return session.id;
  };
  const lived = await open(`Lived in ${LONG}`);
  const approvalId = ApprovalId.parse(await waitingIn(lived));
  await world.person.must("sessions.patch", { sessionId: lived, planApproval: { action: "approve", approvalId } });
  await world.model.asked(4);
  const waits = await open("Waits for a person");
  const inSession = (id: string) => ["", "/plan", "/run", "/timeline"].map((view) => `/sessions/${id}${view}`);
  const [livedPlan] = (await world.person.must("plans.list", { sessionId: lived, limit: 1 })).plans;
  const addresses = [
    "/",
    "/inbox",
    "/plans",
    `/plans/${livedPlan?.planId ?? ""}`,
    "/audit",
    "/charts",
    "/settings",
    ...inSession(lived),
    `/sessions/${waits}`,
    `/sessions/${waits}/plan`,
  ];
  return { world, addresses };
}

describe("every view", () => {
  browserTest("[UI-07] has names, contrast and no other violation in both themes, and fits a phone", async () => {
    const { world, addresses } = await livedIn();
    const { page, expectAccessible, shot } = await world.openPage({ size: PHONE });
    for (const address of addresses) {
      await page.goto(`${world.url}${address}`);
      await settled(page);
      expect([address, await tooWide(page)]).toEqual([address, []]);
      await expectAccessible();
      await shot(`view-phone${address.replaceAll(/\/(?:ses_[^/]+)?/g, "-")}`);
    }
  });

  browserTest("[UI-07] can be walked through by the Tab key: every stop is in sight and wears a ring", async () => {
    const { world, addresses } = await livedIn();
    const { page } = await world.openPage({ size: DESK });
    for (const address of addresses) {
      await page.goto(`${world.url}${address}`);
      await settled(page);
      const stops = await tabStops(page);
      expect([address, stops.filter(({ isSeen, hasRing }) => !isSeen || !hasRing)]).toEqual([address, []]);
      expect(stops[0]?.name).toBe("a Skip to the content");
      expect([address, stops.length > 5]).toEqual([address, true]);
    }
  });

  browserTest("[UI-06] [UI-07] holds texts that are a third longer, on a phone and on a wide screen", async () => {
    const { world, addresses } = await livedIn();
    const { page, shot } = await world.openPage({ size: PHONE });
    await page.evaluate(() => localStorage.setItem("holdpoint.language", "en-XA"));
    for (const address of addresses) {
      await page.setViewportSize(PHONE);
      await page.goto(`${world.url}${address}`);
      await settled(page);
      expect([address, await tooWide(page)]).toEqual([address, []]);
      expect([address, await page.getByText(NAME_OF_A_TEXT).allTextContents()]).toEqual([address, []]);
      await shot(`pseudo-phone${address.replaceAll(/\/(?:ses_[^/]+)?/g, "-")}`);
      await page.setViewportSize(DESK);
      await settled(page);
      expect([address, await tooWide(page)]).toEqual([address, []]);
    }
  });
});

describe("the library", () => {
  browserTest(
    "[BY-10, ST-02] finds a plan, reads exactly that revision, and tags it, whatever became of its session",
    async () => {
      const submit = (title: string, step: string) => ({
        calls: [{ tool: "exit_plan_mode", args: { title, plan: [{ step, status: "pending" }] } as never }],
      });
      const world = await openWorld({
        planMode: { defaultActive: true },
        script: [submit("Paint the shed", "Buy *red* paint"), submit("Dig a well", "Find water")],
      });
      const { session } = await world.person.must("sessions.create", { title: "Garden" });
      const found = async () =>
        (await world.person.must("library.search", { query: "" })).plans.map(({ title }) => title);
      for (const title of ["Paint the shed", "Dig a well"]) {
        await world.person.must("sessions.patch", { sessionId: session.id, planMode: "normal" });
        await world.person.must("sessions.patch", { sessionId: session.id, planMode: "plan" });
        await world.person.must("chat.send", { sessionId: session.id, text: title });
        await expect.poll(found, PATIENT).toContain(title);
      }
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: NARROW });
      await page.goto(`${world.url}/plans`);
      await page.getByRole("searchbox", { name: "Search all plans" }).fill("shed");
      const shed = page.locator("li.plan").filter({ hasText: "Paint the shed" });
      await page.getByText("Dig a well").waitFor({ state: "detached" });
      await shed.getByText("Read this revision").click();
      await shed.getByText("Digest (SHA-256)").waitFor(); // this one, although the session is at another
      expect(await shed.locator("em").textContent()).toBe("red");
      await shot("library-read-390");
      await expectNoSidewaysScrolling();
      await expectAccessible();
      await shed.getByText("Tag or link this plan").click();
      await shed.getByRole("textbox", { name: "Tag or link this plan" }).fill("#garden");
      await page.keyboard.press("Enter");
      await shed.getByText("#garden").waitFor();
      const address = "https://forge.example/acme/shed/issues/7";
      for (const mark of [address, "acme/shed#8"]) {
        await shed.getByRole("textbox", { name: "Tag or link this plan" }).fill(mark);
        await page.keyboard.press("Enter");
        await shed.getByText(mark).waitFor();
      }
      const link = shed.getByRole("link", { name: address });
      expect([await link.getAttribute("href"), await link.getAttribute("rel")]).toEqual([
        address,
        "noreferrer noopener",
      ]);
      expect(await shed.getByRole("link", { name: "acme/shed#8" }).count()).toBe(0); // nobody knows on which forge
      await shot("library-marks-390");
      await expectNoSidewaysScrolling();
      await expectAccessible();
      await shed.getByRole("button", { name: "Remove acme/shed#8" }).click();
      await shed.getByText("acme/shed#8").waitFor({ state: "detached" });
      await shed.getByRole("button", { name: "Remove #garden" }).click();
      await shed.getByText("#garden").waitFor({ state: "detached" });
      expect((await world.person.must("library.search", { query: "shed" })).plans[0]).toMatchObject({
        tags: [],
        links: [address],
      });

      await world.person.must("sessions.delete", { sessionId: session.id });
      const isMarked = async () =>
        (await world.person.must("library.search", { query: "well" })).plans[0]?.sessionDeleted;
      await expect.poll(isMarked, PATIENT).toBe(true);
      await page.reload();
      const well = page.locator("li.plan").filter({ hasText: "Dig a well" });
      await well.getByText("Its session was deleted: nothing can be decided any more.").waitFor();
      expect(await well.getByText("Waits").count()).toBe(0);
      expect(await page.getByRole("link", { name: "To its session" }).count()).toBe(0);
      await shot("library-deleted-390");
      await well.getByText("Read this revision").click();
      await page.getByText("Find water").first().waitFor();
      await page.setViewportSize(WIDE);
      await shot("library-read-wide");
    },
  );
});

describe("plans that are shared", () => {
  browserTest("[ST-03] are listed with who changes them, opened, made and changed from the library", async () => {
    const world = await openWorld();
    const steps = [
      { step: "Write the **tests**", status: "completed" as const },
      { step: "Ship it", status: "pending" as const },
    ];
    await world.person.must("library.changeSharedPlan", { namespace: "team", steps });
    const folder = join(world.home, "plans", "team");
    const token = `${process.pid}-1-00000000-0000-0000-0000-000000000000`;
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: WIDE });
    await page.goto(`${world.url}/plans`);
    await page.getByRole("tab", { name: "Shared plans" }).click();
    const view = page.locator("hp-shared-plans");
    await view.getByText("1 of 2 steps done").waitFor();
    writeFileSync(join(folder, ".lock"), token); // somebody else is at it
    await view.getByRole("button", { name: "Look again" }).click();
    await view.getByText(/^Being changed since/).waitFor();
    mkdirSync(join(world.home, "plans", "torn"));
    writeFileSync(join(world.home, "plans", "torn", "plan.json"), "no json");
    await view.getByRole("button", { name: "Look again" }).click();
    await view.getByText("cannot be read").waitFor();
    await view.getByText("team", { exact: true }).click();
    await view.getByLabel("State of the step: Ship it").waitFor();
    await shot("shared-wide");
    await expectAccessible();
    rmSync(join(folder, ".lock"));
    await view.getByLabel("State of the step: Ship it").selectOption("in_progress");
    const shared = async () => (await world.person.must("library.sharedPlan", { namespace: "team" })).plan?.steps;
    await expect.poll(shared, PATIENT).toMatchObject([{ status: "completed" }, { status: "in_progress" }]);
    await view.getByText(/^Being changed since/).waitFor({ state: "detached" });
    await view.getByRole("textbox", { name: "New step" }).fill("Tell everybody");
    await page.keyboard.press("Enter");
    await view.getByText("1 of 3 steps done").waitFor();
    await view.getByText("Share a new plan").focus();
    await page.keyboard.press("Enter");
    await view.getByRole("textbox", { name: /^Name: letters/ }).fill("..");
    await view.getByRole("textbox", { name: "First step" }).fill("Paint the shed");
    await page.keyboard.press("Enter");
    await page
      .locator("hp-notice-list")
      .getByText(/namespace/)
      .waitFor(); // nothing was made of it
    await view.getByRole("textbox", { name: /^Name: letters/ }).fill("house");
    await page.keyboard.press("Enter");
    await view.getByText("house", { exact: true }).waitFor();
    await page.setViewportSize(NARROW);
    await shot("shared-390");
    await expectNoSidewaysScrolling();
    await expectAccessible();
    const german = await world.openPage({ size: NARROW, locale: "de", theme: "dark" });
    await german.page.goto(`${world.url}/plans`);
    await german.page.getByRole("tab", { name: "Gemeinsame Pläne" }).click();
    await german.page.locator("hp-shared-plans").getByText("team", { exact: true }).click();
    await german.page.getByLabel("Stand des Schritts: Ship it").waitFor();
    await german.shot("shared-390-de-dark");
    await german.expectNoSidewaysScrolling();
    await german.page.setViewportSize(WIDE);
    await german.shot("shared-wide-de-dark");
  });
});

/** The heading and the view are there, and nothing says any more that it is being read. */
async function settled(page: Awaited<ReturnType<World["openPage"]>>["page"]): Promise<void> {
  await page.locator("h1").first().waitFor({ state: "attached" }); // on a phone the list comes first
  await page.locator("hp-outlet .view").first().waitFor({ state: "attached" });
  await expect.poll(() => page.getByText(/^\[?(?:Reading|Ŕéáðíñĝ) …/).count(), PATIENT).toBe(0);
}
