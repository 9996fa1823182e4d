/** What plugins contribute to the page: drawn from descriptors, live, in their slots, and unable to break anything. */
import { describe, expect } from "vitest";
import { definePlugin, z } from "../../src/plugins/sdk.ts";
import { submits } from "./cards-kit.ts";
import { browserTest, openWorld, PHONE, PATIENT } from "./page-world.ts";

const Deploy = z.strictObject({
  count: z.int(),
  status: z.string(),
  runs: z.array(z.strictObject({ to: z.string() })),
});

/** Draws in every slot, with texts that try to be more than texts. */
const deploy = definePlugin({
  id: "deploy",
  name: "Deploy",
  description: "for tests",
  register(api) {
    const state = { namespace: "now", description: "How far it is.", schema: Deploy };
    api.session.state.registerSessionExtension({
      ...state,
      initial: { count: 0, status: "never \u202Edeployed", runs: [] },
      project: (now) => now,
    });
    const { registerControlUiDescriptor, registerSessionAction } = api.session.controls;
    registerControlUiDescriptor({
      id: "header",
      surface: "session-header",
      label: "Deployed",
      body: [
        { kind: "badge", text: { path: "now.status" }, tone: "info" },
        { kind: "action", action: "reset", label: "Start over", tone: "danger", confirm: "Forget <b>all</b> runs?" },
      ],
    });
    registerControlUiDescriptor({
      id: "board",
      surface: "dashboard",
      label: "<img src=x onerror=alert(1)>",
      body: [
        {
          kind: "card",
          title: "Deployments",
          children: [
            { kind: "facts", facts: [{ label: "So far", value: { path: "now.count" } }] },
            { kind: "table", columns: [{ label: "To", field: "to" }], rows: { path: "now.runs" }, empty: "None yet." },
            { kind: "text", text: "Something went out.", tone: "good", when: { path: "now.count" } },
            {
              kind: "form",
              action: "run",
              submit: "Deploy",
              fields: [
                { type: "text", name: "to", label: "Where to", required: true, maxChars: 50 },
                { type: "number", name: "copies", label: "Copies", min: 1, max: 9 },
                { type: "boolean", name: "quick", label: "Quickly" },
                { type: "choice", name: "kind", label: "Kind", options: [{ value: "full", label: "Everything" }] },
              ],
            },
          ],
        },
      ],
    });
    registerControlUiDescriptor({
      id: "note",
      surface: "settings",
      label: "Deploy",
      body: [{ kind: "text", text: "Hi." }],
    });
    for (const surface of ["composer", "approval-card", "plan-pane"] as const) {
      registerControlUiDescriptor({
        id: surface,
        surface,
        label: "Target",
        body: [{ kind: "badge", text: `in the ${surface}`, tone: "info" }],
      });
    }
    registerSessionAction({
      id: "run",
      description: "Deploys.",
      schema: z.strictObject({
        to: z.string().regex(/^[a-z]+$/, "small letters only"),
        copies: z.int().optional(),
        quick: z.boolean(),
        kind: z.string().optional(),
      }),
      async handler(call) {
        const now = Deploy.parse(call.state.get("now"));
        const to = `${call.params.to} ${call.params.copies ?? 1}`;
        call.state.set("now", { count: now.count + 1, status: `at ${to}`, runs: [...now.runs, { to }] });
        return { message: `Deployed to ${to}.` };
      },
    });
    registerSessionAction({
      id: "reset",
      description: "Forgets.",
      schema: z.strictObject({}),
      async handler(call) {
        call.state.set("now", { count: 0, status: "forgotten", runs: [] });
        return { message: "Forgotten." };
      },
    });
  },
});

/** Says far more than there is room for. */
const talkative = definePlugin({
  id: "talkative",
  name: "Talkative",
  description: "for tests",
  register(api) {
    api.session.controls.registerControlUiDescriptor({
      id: "header",
      surface: "session-header",
      label: "Everything",
      body: Array.from({ length: 20 }, (_, n) => ({ kind: "text" as const, text: `Line ${n} of what it has to say.` })),
    });
  },
});

describe("plugins in the page", () => {
  browserTest("[UI-09] [UI-07] leave most of the window to the plan, however much they say above it", async () => {
    const world = await openWorld({ plugins: [talkative] });
    const { session } = await world.person.must("sessions.create", { title: "Shed" });
    const { page, shot, expectAccessible } = await world.openPage({ size: PHONE });
    await page.goto(`${world.url}/sessions/${session.id}`);
    const header = page.getByRole("region", { name: "About this session" });
    await header.waitFor();
    const heights = await header.evaluate(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight]);
    expect(heights[0]).toBeLessThanOrEqual(PHONE.height / 4);
    expect(heights[1]).toBeGreaterThan(PHONE.height / 2);
    await header.focus();
    await page.keyboard.press("End");
    await expect.poll(() => header.evaluate(({ scrollTop }) => scrollTop), PATIENT).toBeGreaterThan(0);
    await expectAccessible();
    await shot("slots-talkative-phone");
  });

  browserTest("[UI-09] [PG-07] show their state, run their actions, and say what is wrong with a form", async () => {
    const world = await openWorld({ plugins: [deploy] });
    const { session } = await world.person.must("sessions.create", { title: "Shed" });
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage();
    await page.getByRole("heading", { name: "<img src=x onerror=alert(1)>" }).waitFor();
    await page.getByText("None yet.").waitFor();
    expect(await page.getByText("Something went out.").count()).toBe(0);
    await shot("slots-home-wide");
    await expectAccessible();
    await page.getByRole("textbox", { name: "Where to" }).fill("NOT GOOD");
    await page.getByRole("button", { name: "Deploy", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "small letters only" }).waitFor();
    await page.getByRole("textbox", { name: "Where to" }).fill("staging");
    await page.getByLabel("Copies").fill("3");
    await page.getByRole("button", { name: "Deploy", exact: true }).click();
    await page.getByText("Deployed to staging 3.").waitFor();
    await page.getByText("Something went out.").waitFor();
    await page.getByRole("cell", { name: "staging 3" }).waitFor();
    await page.goto(`${world.url}/sessions/${session.id}`);
    await page.getByText("at staging 3").waitFor();
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByText("Forget <b>all</b> runs?").waitFor();
    await shot("slots-header-wide");
    await page.locator("hp-dialog[open]").getByRole("button", { name: "Start over" }).click();
    await page.getByText("Forgotten.", { exact: true }).waitFor();
    await page.getByText("forgotten", { exact: true }).waitFor();
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScrolling();
    await expectAccessible();
    await shot("slots-header-phone");
    await page.goto(`${world.url}/settings`);
    await page.getByText("Hi.").waitFor();
  });

  browserTest(
    "[UI-09] [PG-07] stand at the composer, on the card, in the plan, and on a phone's first screen",
    async () => {
      const world = await openWorld({
        plugins: [deploy],
        script: [submits("Paint the shed")],
        planMode: { defaultActive: true },
      });
      const { session } = await world.person.must("sessions.create", { title: "Shed" });
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage();
      await page.goto(`${world.url}/sessions/${session.id}`);
      await page.getByText("in the composer").waitFor();
      await world.person.must("chat.send", { sessionId: session.id, text: "Paint the shed." });
      await page.locator("hp-approval-card").getByText("in the approval-card").waitFor();
      await page.locator("hp-plan-pane").getByText("in the plan-pane").waitFor();
      await shot("slots-card-wide");
      await expectAccessible();
      await page.goto(`${world.url}/sessions/${session.id}/plan`);
      await page.locator("hp-review-view").getByText("in the plan-pane").waitFor();
      await shot("slots-review-wide");
      await page.setViewportSize(PHONE);
      await page.goto(world.url);
      await page.locator("hp-sidebar").getByText("Deployments").waitFor();
      await expectNoSidewaysScrolling();
      await expectAccessible();
      await shot("slots-home-phone");
    },
  );

  browserTest(
    "[UI-09] [UI-08] cannot hide characters in what they show, nor break the page by a bad descriptor",
    async () => {
      const world = await openWorld({ plugins: [deploy] });
      const { session } = await world.person.must("sessions.create", { title: "Shed" });
      const { page } = await world.openPage();
      await page.routeWebSocket(/.*/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) =>
          socket.send(String(message).replaceAll('"kind":"badge"', '"kind":"from-the-future"')),
        );
      });
      await page.goto(`${world.url}/sessions/${session.id}`);
      await page.getByRole("button", { name: "Start over" }).waitFor();
      expect(await page.getByText("deployed").count()).toBeLessThanOrEqual(1);
      await page.unrouteAll();
      const next = await world.openPage();
      await next.page.goto(`${world.url}/sessions/${session.id}`);
      await next.page.getByText("never ‹U+202E›deployed").waitFor();
    },
  );
});
