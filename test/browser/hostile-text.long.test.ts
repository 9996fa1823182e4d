/** Everything that agents, tools, plugins and people can write, in every place where the page shows it. */
import { Buffer } from "node:buffer";
import type { Download } from "playwright-core";
import { describe, expect } from "vitest";
import { definePlugin, z } from "../../src/plugins/sdk.ts";
import { ApprovalId, type SessionId } from "../../src/protocol/ids.ts";
import { wireClient } from "../kit/wire-client.ts";
import { attacks, found, HOSTILE, LINKS, openWatched, SEEN, SHORT, SHORT_SEEN, type Watched } from "./hostile-kit.ts";
import { browserTest, openWorld, type World, PATIENT } from "./page-world.ts";

const SLOTS = ["session-header", "composer", "approval-card", "plan-pane", "settings", "dashboard"] as const;

const hostilePlugin = definePlugin({
  id: "hostile",
  name: HOSTILE,
  description: HOSTILE,
  register(api) {
    api.session.state.registerSessionExtension({
      namespace: "now",
      description: HOSTILE,
      schema: z.strictObject({ text: z.string(), rows: z.array(z.strictObject({ cell: z.string() })) }),
      initial: { text: HOSTILE, rows: [{ cell: HOSTILE }] },
      project: (now) => now,
    });
    for (const surface of SLOTS) {
      api.session.controls.registerControlUiDescriptor({
        id: `in-${surface}`,
        surface,
        label: SHORT,
        body: [
          { kind: "text", text: HOSTILE },
          { kind: "badge", text: { path: "now.text" }, tone: "info" },
          { kind: "facts", facts: [{ label: SHORT, value: { path: "now.text" } }] },
          { kind: "table", columns: [{ label: SHORT, field: "cell" }], rows: { path: "now.rows" } },
          { kind: "action", action: "act", label: SHORT, confirm: HOSTILE },
          {
            kind: "form",
            action: "act",
            submit: SHORT,
            fields: [
              { type: "text", name: "a", label: SHORT },
              { type: "choice", name: "b", label: SHORT, options: [{ value: SHORT, label: SHORT }] },
            ],
          },
        ],
      });
    }
    api.session.controls.registerSessionAction({
      id: "act",
      description: HOSTILE,
      schema: z.strictObject({ a: z.string().optional(), b: z.string().optional() }),
      handler: async () => ({ message: HOSTILE }),
    });
    api.commands.registerCommand({
      name: "hostile",
      description: "<b data-owned=1>", // one with hidden characters is refused, and its plugin with it
      requiredScopes: ["operator.read"],
      handler: async () => ({ message: `${HOSTILE}\n\n${LINKS}` }),
    });
    api.tools.registerTool({
      name: "hostile_read",
      description: HOSTILE,
      input: z.strictObject({ query: z.string() }),
      kind: "read_only",
      effect: "read",
      run: async () => ({ status: "ok" as const, content: `${HOSTILE}\n${LINKS}` }),
    });
  },
});

const plan = (title: string, status = "pending") => ({
  title,
  summary: `${HOSTILE}\n\n${LINKS}`,
  analysis: `${LINKS}\n\n${HOSTILE}`,
  plan: [{ step: `do ${HOSTILE}`, status, activeForm: `doing ${HOSTILE}`, acceptanceCriteria: [`sure ${HOSTILE}`] }],
  assumptions: [HOSTILE],
  risks: [{ risk: HOSTILE, mitigation: HOSTILE }],
  verification: [HOSTILE],
  references: [HOSTILE, "javascript:owned=1", "https://evil.example/x"],
});

const question = {
  question: HOSTILE,
  options: [
    { id: "a", label: SHORT, description: HOSTILE },
    { id: "b", label: "Plain" },
  ],
  allowFreetext: true,
};

const script = (until: Promise<void>) => [
  {
    say: ["Hello ", HOSTILE, `\n\n${LINKS}`],
    calls: [
      { tool: "write", args: { path: SHORT, content: HOSTILE } },
      { tool: SHORT, args: { [SHORT]: HOSTILE } },
      { tool: "read", args: { path: SHORT } },
      { tool: "hostile_read", args: { query: HOSTILE } },
    ],
  },
  { calls: [{ tool: "ask_user_question", args: question }] },
  { calls: [{ tool: "exit_plan_mode", args: plan(`First ${HOSTILE}`) }] },
  { calls: [{ tool: "exit_plan_mode", args: plan(`Second ${HOSTILE}`) }] },
  {
    calls: [
      {
        tool: "update_plan",
        args: { merge: true, plan: [{ step: `do ${HOSTILE}`, status: "in_progress", activeForm: `doing ${HOSTILE}` }] },
      },
      { tool: "exec", args: { command: "cat hostile.txt; sleep 600" } },
    ],
  },
  { say: "End.", until },
];

async function waitingId(world: World): Promise<string | undefined> {
  const { sessions } = await world.person.must("sessions.list", { waiting: true });
  return sessions[0]?.waiting?.id;
}

/** The id of what waits, once it is another than before. */
async function nextId(world: World, before?: string): Promise<ApprovalId> {
  const isNew = async () => {
    const id = await waitingId(world);
    return id !== undefined && id !== before;
  };
  await expect.poll(isNew, PATIENT).toBe(true);
  return ApprovalId.parse(await waitingId(world));
}

async function textOf(download: Download): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of await download.createReadStream()) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces).toString("utf8");
}

async function visit({ page, expectOnlyText }: Watched, address: string, text: string | RegExp): Promise<void> {
  await page.goto(address);
  await page.getByText(text).filter({ visible: true }).first().waitFor();
  await expectOnlyText();
}

/** Somebody whose very name is an attempt; their page is the one that is looked at. */
async function hostileOperator(world: World) {
  const scopes = ["operator.read", "operator.write", "operator.approvals", "operator.admin"] as const;
  const { secret } = await world.person.must("tokens.create", { name: SHORT, scopes: [...scopes] });
  return wireClient({ url: world.url, token: secret });
}

describe("hostile text", () => {
  browserTest(
    "[UI-08] [UI-09] stays text in every view, from the first message to the record of what was decided",
    async () => {
      const end = Promise.withResolvers<void>();
      const world = await openWorld({
        script: script(end.promise),
        planMode: { defaultActive: true },
        plugins: [hostilePlugin],
        files: { "hostile.txt": `${HOSTILE}\n${LINKS}\n` },
      });
      const mallory = await hostileOperator(world);
      const { session } = await mallory.must("sessions.create", { title: HOSTILE });
      const sessionId: SessionId = session.id;
      const home = `${world.url}/sessions/${sessionId}`;
      const watched = await openWatched(world);
      const { page, expectOnlyText } = watched;
      const png = Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64",
      );
      await page.goto(home);
      await page.getByRole("button", { name: "Attach files" }).waitFor();
      await page
        .locator("input[type=file]")
        .setInputFiles([{ name: `${SHORT}.png`, mimeType: "image/png", buffer: png }]);
      await page.getByRole("img", { name: `Image ${SHORT_SEEN}.png` }).waitFor();
      await page.getByRole("textbox", { name: "Message" }).fill(`${HOSTILE}\n\n${LINKS}`);
      await page.keyboard.press("Enter");

      const asked = await nextId(world);
      await visit(watched, home, SEEN); // message, answer, calls, refusals, results, question card, attachment
      expect(await page.title()).toContain("‹U+202E›");
      const folded = page.locator("hp-chat-view summary");
      await folded.evaluateAll((all) => all.forEach((summary) => (summary as HTMLElement).click())); // at once: one that opens moves others out of sight
      await expectOnlyText();
      await visit(watched, `${world.url}/inbox`, SEEN);
      const answer = { action: "answer" as const, approvalId: asked, answer: HOSTILE };
      await mallory.must("sessions.patch", { sessionId, planApproval: answer });

      const first = await nextId(world, asked);
      const planNote = {
        action: "add" as const,
        approvalId: first,
        anchor: { on: "step" as const, step: 1 },
        text: HOSTILE,
      };
      await mallory.must("sessions.patch", { sessionId, planNote });
      await visit(watched, home, `First ${SEEN}`);
      await page.getByText("Show the steps").first().click();
      await expectOnlyText();
      await visit(watched, `${home}/plan`, `First ${SEEN}`);
      await page.locator("#note-1").waitFor();
      await page.getByRole("button", { name: "Edit steps" }).click();
      await page.getByRole("textbox", { name: "Text of step 1", exact: true }).waitFor();
      await page.getByText(`do ${SEEN}`).first().waitFor(); // beside the field, which cannot show it
      await expectOnlyText();
      await visit(watched, `${world.url}/inbox`, `First "'><hp-owned data-owned=1>`); // cut where it is long
      const feedback = `no ${HOSTILE}`;
      await mallory.must("sessions.patch", {
        sessionId,
        planApproval: { action: "reject", approvalId: first, feedback },
      });

      const second = await nextId(world, first);
      await visit(watched, `${home}/plan`, `Second ${SEEN}`);
      await page.getByRole("tab", { name: "What changed" }).click();
      await expectOnlyText();
      await page.getByRole("tab", { name: "Raw" }).click();
      await expectOnlyText();
      await visit(watched, home, `Second ${SEEN}`); // output is not kept: who wants to see it is there when it comes
      await mallory.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId: second } });
      await page.getByLabel("Output so far").getByText(SEEN).first().waitFor();
      await expectOnlyText();
      await visit(watched, `${home}/run`, `doing ${SEEN}`);
      await visit(watched, `${home}/timeline`, SEEN);
      for (const summary of await page.locator("hp-timeline-view summary").all()) await summary.click();
      await expectOnlyText();
      await visit(watched, `${world.url}/audit`, SEEN);
      await page.locator("hp-audit-view summary").first().waitFor();
      for (const summary of (await page.locator("hp-audit-view summary").all()).slice(0, 40)) await summary.click();
      await expectOnlyText();
      await visit(watched, world.url, SEEN); // dashboard
      await visit(watched, `${world.url}/charts`, /./);
      await visit(watched, `${world.url}/settings`, SEEN);
      end.resolve();
      mallory.close();
    },
  );

  browserTest("[UI-08] stays text in replies of commands, in notices and in completions", async () => {
    const world = await openWorld({ plugins: [hostilePlugin] });
    const { session } = await world.person.must("sessions.create", { title: SHORT });
    const watched = await openWatched(world);
    const { page, expectOnlyText } = watched;
    await page.goto(`${world.url}/sessions/${session.id}`);
    const composer = page.getByRole("textbox", { name: "Message" });
    await page.getByText(SEEN).filter({ visible: true }).first().waitFor(); // the plugin's slots: connected
    await composer.pressSequentially("/host");
    await page.getByRole("option", { name: /hostile/ }).waitFor();
    await expectOnlyText();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText("only you see this").waitFor();
    await expectOnlyText();
    await page.getByRole("button", { name: SHORT_SEEN }).first().click(); // an action of the plugin: asks first
    const dialog = page.locator("hp-dialog[open]");
    await dialog.getByText(SEEN).waitFor();
    await expectOnlyText();
    await dialog.getByRole("button", { name: SHORT_SEEN }).click();
    await page.locator("hp-notice-list, hp-notices").getByText(SEEN).first().waitFor(); // what it answered
    await expectOnlyText();
  });

  browserTest("[UI-08] hides nothing in a notification, which no page can repair", async () => {
    const world = await openWorld({
      script: [{ calls: [{ tool: "exit_plan_mode", args: plan(`Sign \u202Ethis\u200B`) }] }],
      planMode: { defaultActive: true },
    });
    const { page } = await openWatched(world);
    await page.addInitScript(() => {
      const told: unknown[] = [];
      Reflect.set(globalThis, "told", told);
      Reflect.defineProperty(Notification, "permission", { get: () => "granted" });
      Notification.requestPermission = async () => "granted";
      Reflect.set(Document.prototype, "hasFocus", () => false); // the person looks elsewhere
      ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
        void told.push(`${title}\n${options?.body ?? ""}`);
    });
    await page.goto(`${world.url}/inbox`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const box = page.getByRole("checkbox", { name: "Show notifications in this browser" });
    await box.click();
    await expect.poll(() => box.isChecked(), PATIENT).toBe(true);
    const { session } = await world.person.must("sessions.create", { title: SHORT });
    await world.person.must("chat.send", { sessionId: session.id, text: "Go." });
    await expect
      .poll(() => page.evaluate(() => Reflect.get(globalThis, "told") as unknown), PATIENT)
      .toEqual([`A plan waits for your signature\nSign ‹U+202E›this‹U+200B›\n${SHORT_SEEN}`]);
  });

  browserTest("[UI-08] of every list of attacks is shown whole in a conversation", async () => {
    const texts = (["unicode", "chat-markup", "envelope", "prompt-injection"] as const).flatMap((name) =>
      attacks(name).map((text, n) => `${name} ${n}: ${text.slice(0, 1_000)}`),
    );
    const world = await openWorld({ script: [{ say: texts.join("\n\n") }] });
    const { session } = await world.person.must("sessions.create", { title: "Lists" });
    const watched = await openWatched(world);
    const { page, expectOnlyText } = watched;
    await page.goto(`${world.url}/sessions/${session.id}`);
    await page.getByRole("textbox", { name: "Message" }).fill(texts.slice(0, 60).join("\n"));
    await page.keyboard.press("Enter");
    await page.getByText("unicode 1:").last().waitFor();
    await expectOnlyText();
  });

  browserTest("[UI-08] a file is no image because it says so: drawings that can hold scripts are text", async () => {
    const world = await openWorld();
    const { session } = await world.person.must("sessions.create", { title: "Files" });
    const watched = await openWatched(world);
    const { page, expectOnlyText } = watched;
    await page.goto(`${world.url}/sessions/${session.id}`);
    await page.getByRole("button", { name: "Attach files" }).waitFor();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="owned=1"><script>owned=1</script></svg>');
    const files = [
      { name: "drawing.svg", mimeType: "image/svg+xml", buffer: svg },
      { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<script>owned=1</script>") },
    ];
    await page.locator("input[type=file]").setInputFiles(files);
    const listed = page.getByRole("list", { name: "Attached files" }).getByRole("listitem");
    await expect.poll(() => listed.count(), PATIENT).toBe(2);
    expect(await listed.getByRole("img").count()).toBe(0);
    await page.locator("input[type=file]").setInputFiles([{ name: "sly.png", mimeType: "image/png", buffer: svg }]);
    await page.getByText("“sly.png” is neither an image nor a text file.").waitFor();
    await page.getByRole("button", { name: "Send", disabled: false }).click();
    await page
      .getByRole("log")
      .getByText(/Attached file "drawing.svg"/)
      .waitFor();
    await expectOnlyText();
    expect(await page.locator("img").count()).toBe(0);
    const bytes = svg.toString("base64");
    const sent = await world.person.must("chat.send", {
      sessionId: session.id,
      text: "By a program.",
      attachments: [{ name: "sly.png", bytes }],
    });
    expect(sent).toBeDefined();
    await page.getByText("By a program.").first().waitFor();
    expect(await page.locator("img").count()).toBe(0); // what it is is found out from its bytes
    await expectOnlyText();
  });

  browserTest("[UI-08] [RV-03] stays text in exports and on the page of a share link", async () => {
    const world = await openWorld({
      script: [{ calls: [{ tool: "exit_plan_mode", args: plan(HOSTILE) }] }],
      planMode: { defaultActive: true },
    });
    const { session } = await world.person.must("sessions.create", { title: HOSTILE });
    await world.person.must("chat.send", { sessionId: session.id, text: "Go." });
    await nextId(world);
    const watched = await openWatched(world);
    const { page, context } = watched;
    await page.goto(`${world.url}/sessions/${session.id}/plan`);
    for (const [item, ending] of [
      ["Markdown", "md"],
      ["JSON", "json"],
      ["HTML, to print or save as PDF", "html"],
    ] as const) {
      await page.getByRole("button", { name: "Export" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: item }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(new RegExp(`^plan-[a-z0-9-]*r1\\.${ending}$`));
      if (ending !== "html") continue;
      const file = await context.newPage();
      await file.setContent(await textOf(download));
      const inside = await found(file);
      expect({ owned: inside.owned, attributes: inside.attributes, hidden: inside.hidden }).toEqual({
        owned: "undefined",
        attributes: [],
        hidden: [],
      });
      expect(await file.locator("hp-owned, img, iframe, script").count()).toBe(0);
      await file.close();
    }
    await page.getByRole("button", { name: "Share" }).click();
    const share = page.locator("hp-share-dialog");
    await share.getByRole("button", { name: "Make a link" }).click();
    const link = await share.getByLabel("Link").inputValue();
    await page.goto(link);
    await page.getByText("U+202E").filter({ visible: true }).first().waitFor();
    await watched.expectOnlyText();
    expect(await page.locator("script").count()).toBe(0);
  });
});
