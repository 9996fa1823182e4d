/** Plan review in a real browser: notes, revisions, differences, editing, signing. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { JsonObject } from "../../src/protocol/json.ts";
import { ApprovalId, type SessionId } from "../../src/protocol/ids.ts";
import type { ScriptStep } from "../kit/scripted-model.ts";
import { wireClient } from "../kit/wire-client.ts";
import { browserTest, openWorld, PHONE, type World, PATIENT } from "./page-world.ts";
import { first, second, step } from "./review-plans.ts";

const submit = (args: JsonObject): ScriptStep => ({ calls: [{ tool: "exit_plan_mode", args }] });

/** A session whose plan waits for a person. */
async function waiting(
  script: readonly ScriptStep[],
): Promise<{ world: World; sessionId: SessionId; address: string }> {
  const world = await openWorld({ script, planMode: { defaultActive: true } });
  const { session } = await world.person.must("sessions.create", { title: "Export job" });
  await world.person.must("chat.send", { sessionId: session.id, text: "Move it." });
  await expect.poll(() => waitingIn(world), PATIENT).toBe(1);
  return { world, sessionId: session.id, address: `${world.url}/sessions/${session.id}/plan` };
}

/** The machine may be busy with other tests. */

const waitingIn = async ({ person }: World): Promise<number> =>
  (await person.must("sessions.list", { waiting: true })).sessions.length;

async function writeNote(page: Page, text: string, kind?: string): Promise<void> {
  const form = page.getByRole("form", { name: "New note" });
  await form.getByRole("textbox", { name: "Note" }).fill(text);
  if (kind !== undefined) await form.getByRole("radio", { name: kind }).check();
  await form.getByRole("button", { name: "Add note" }).click();
  await form.waitFor({ state: "detached" });
  await page.locator("hp-note-thread").getByText(text).waitFor();
}

/** Selects words as a mouse would, from the first to the last. */
async function selectWords(page: Page, words: string): Promise<void> {
  const place = page.locator("hp-plan-document").getByText(words).first();
  await place.scrollIntoViewIfNeeded();
  const box = await place.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.nodeValue?.indexOf(wanted) ?? -1;
      if (at === -1) continue;
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const { left, right, top, height } = range.getBoundingClientRect();
      return { left, right, y: top + height / 2 };
    }
    throw new Error(`nobody says ${wanted}`);
  }, words);
  await page.mouse.move(box.left + 1, box.y);
  await page.mouse.down();
  await page.mouse.move(box.right - 1, box.y, { steps: 4 });
  await page.mouse.up();
}

describe("plan review", () => {
  browserTest(
    "[UI-05, RV-01, RV-02, PL-17] three notes, a revision that answers them, edited steps, and the agent sees the difference",
    async () => {
      const { world, address } = await waiting([submit(first), submit(second), { say: "Beginning." }]);
      const { page, shot, expectAccessible } = await world.openPage();
      await page.goto(address);
      await page.getByRole("heading", { name: first.title }).waitFor();
      await page.getByRole("button", { name: "Write a note: Step 2" }).click();
      await writeNote(page, "The backup runs at 23:00.");
      await selectWords(page, "instead of Friday");
      await page.getByRole("button", { name: "Note on these words" }).click();
      await writeNote(page, "Why not Saturday?", "Question");
      await page.locator("#step-4").focus();
      await page.keyboard.press("n");
      await writeNote(page, "Mail first, documents later.");
      await shot("review-notes");
      await expectAccessible();
      await page.getByRole("button", { name: "Revise", exact: true }).click();
      await page.getByText("3 open notes go along").waitFor();
      await page.getByRole("button", { name: "Send back to the agent" }).click();
      const asked = await world.model.asked(2);
      const told = JSON.stringify(asked);
      for (const words of ["The backup runs at 23:00.", "Why not Saturday?", "instead of Friday", "Mail first"]) {
        expect(told).toContain(words);
      }

      await page.getByText("Revision 2 of 2").waitFor();
      await page.getByText("23:30").first().waitFor();
      const changed = page.locator("#change-step-2");
      await changed.getByRole("button", { name: "note 1" }).waitFor();
      expect(await changed.locator("del").innerText()).toContain("00");
      expect(await changed.locator("ins").innerText()).toContain("30");
      await shot("review-changes");
      await expectAccessible();
      await page.getByRole("tab", { name: "Raw" }).click();
      await page.getByText("+- Change the schedule to Sunday 23:30").waitFor();
      await shot("review-raw");
      await page.getByRole("tab", { name: "Readable" }).click();
      await changed.getByRole("button", { name: "note 1" }).click();
      const note = page.locator("#note-1");
      await expect.poll(() => note.evaluate((element) => element.matches(":focus")), PATIENT).toBe(true);
      await note.getByRole("button", { name: "Answered in revision 2" }).click();
      await expect.poll(() => changed.evaluate((element) => element.matches(":focus")), PATIENT).toBe(true);
      await page.keyboard.press("[");
      await page.getByText("You read revision 1. The newest is 2.").waitFor();
      await page.keyboard.press("]");
      await page.getByText("Revision 2 of 2").waitFor();

      await page.getByRole("button", { name: "Edit steps" }).click();
      await page.getByRole("textbox", { name: "Text of step 5" }).fill("Check the first run on Monday at 8:00");
      await page.getByRole("textbox", { name: "Text of step 3" }).focus();
      await page.keyboard.press("Alt+ArrowDown");
      expect(await page.getByRole("textbox", { name: "Text of step 4" }).inputValue()).toBe("Tell both teams by mail");
      await page.getByRole("button", { name: "Remove step 1", exact: true }).click();
      await shot("review-editor");
      await expectAccessible();
      await page.getByRole("button", { name: "Approve edited plan" }).click();
      await page.getByRole("dialog", { name: "Approve with these changes?" }).waitFor();
      const dialog = page.locator("hp-confirm-edited");
      await dialog.getByText("at 8:00").waitFor();
      await shot("review-confirm");
      await expectAccessible();
      await dialog.getByRole("button", { name: "Approve edited plan" }).click();
      await page.getByText("Being carried out").waitFor();
      await page.getByText("Revision 3 of 3").waitFor();
      const carried = JSON.stringify(await world.model.asked(3));
      expect(carried).toContain("removed step 1");
      expect(carried).toContain("Check the first run on Monday at 8:00");
      await page.getByRole("tab", { name: "History" }).click();
      await page.getByText(/edited the steps into revision 3/).waitFor();
      await shot("review-history");
      await expectAccessible();
    },
  );

  browserTest("[UI-05, PL-17] a revision that comes while steps are edited leaves the draft, and says so", async () => {
    const { world, sessionId, address } = await waiting([submit(first), submit(second), { say: "Beginning." }]);
    const { page, shot } = await world.openPage();
    await page.goto(`${address}?edit=steps`);
    const text = page.getByRole("textbox", { name: "Text of step 1" });
    await text.fill("Read everything");
    const { sessions } = await world.person.must("sessions.list", { waiting: true });
    const approvalId = ApprovalId.parse(sessions[0]?.waiting?.id);
    await world.person.must("sessions.patch", {
      sessionId,
      planNote: { action: "add", approvalId, anchor: { on: "plan" }, text: "one" },
    });
    await world.person.must("sessions.patch", {
      sessionId,
      planNote: { action: "add", approvalId, anchor: { on: "plan" }, text: "two" },
    });
    await world.person.must("sessions.patch", {
      sessionId,
      planApproval: { action: "reject", approvalId, feedback: "" },
    });
    await page.getByText("Revision 2 came while you edited revision 1. Your draft is kept.").waitFor();
    expect(await text.inputValue()).toBe("Read everything");
    expect(await page.getByRole("button", { name: "Approve edited plan" }).isDisabled()).toBe(true);
    await shot("review-superseded");
    await page.reload();
    await page.getByText("Your draft is kept.").waitFor();
    expect(await text.inputValue()).toBe("Read everything");
    await page.getByRole("button", { name: "Put my steps into revision 2" }).click();
    await page.getByRole("button", { name: "Approve edited plan" }).click();
    const dialog = page.locator("hp-confirm-edited");
    await dialog.getByText("Check the first run on Monday").waitFor();
    await dialog.getByRole("button", { name: "Approve edited plan" }).click();
    await page.getByText("Being carried out").waitFor();
    expect(JSON.stringify(await world.model.asked(3))).toContain("Read everything");
  });

  browserTest("[UI-05, PL-17] steps are added, dragged, undone and checked in place", async () => {
    const { world, address } = await waiting([submit(first)]);
    const { page } = await world.openPage();
    await page.goto(`${address}?edit=steps`);
    const fields = page.getByRole("textbox", { name: /^Text of step/ });
    const words = async () => fields.evaluateAll((all) => all.map((field) => (field as HTMLTextAreaElement).value));
    const before = first.plan.map(({ step: line }) => line);
    await fields.first().waitFor();
    const grip = page.locator(".grip").first();
    const [from, to] = [await grip.boundingBox(), await page.locator(".edited-step").nth(2).boundingBox()];
    await page.mouse.move((from?.x ?? 0) + 8, (from?.y ?? 0) + 8);
    await page.mouse.down();
    await page.mouse.move((from?.x ?? 0) + 8, (to?.y ?? 0) + (to?.height ?? 0) - 4, { steps: 6 });
    await page.mouse.up();
    expect(await words()).toEqual([before[1], before[2], before[0], before[3]]);
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await words()).toEqual(before);
    await fields.first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => fields.nth(1).evaluate((field) => field.matches(":focus")), PATIENT).toBe(true);
    await page.getByRole("button", { name: "Approve edited plan" }).click();
    await page.getByText("A step needs a text.").waitFor();
    await fields.nth(1).fill(before[0] ?? "");
    await page.getByText("Another step has the same text.").waitFor();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    expect(await words()).toEqual(before);
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Accept", exact: true }).waitFor();
  });

  browserTest(
    "[BY-06, RV-01] threads are answered, resolved and reopened, and drafts stay with their place",
    async () => {
      const { world, address } = await waiting([submit(first)]);
      const { page } = await world.openPage();
      await page.goto(address);
      await page.getByRole("button", { name: "Write a note: Risks" }).click();
      const form = page.getByRole("form", { name: "New note" });
      await form.getByRole("textbox", { name: "Note" }).fill("half a thought");
      await page.keyboard.press("Escape");
      await form.waitFor({ state: "detached" });
      await page.reload();
      await page.getByRole("button", { name: "Write a note: Risks" }).click();
      expect(await form.getByRole("textbox", { name: "Note" }).inputValue()).toBe("half a thought");
      await page.keyboard.press("Control+Enter");
      const note = page.locator("#note-1");
      await note.getByRole("button", { name: "Reply" }).click();
      await page.keyboard.type("and the other half");
      await page.keyboard.press("Control+Enter");
      await note.getByText("and the other half").waitFor();
      await note.getByRole("button", { name: "Resolve" }).click();
      await note.getByText(/^Resolved by/).waitFor();
      await note.getByRole("button", { name: "Show" }).click();
      await note.getByRole("button", { name: "Reopen" }).click();
      await note.getByRole("button", { name: "Resolve" }).waitFor();
    },
  );

  browserTest("[RV-03] a plan is saved as a file, and shared by a link that can be ended", async () => {
    const { world, address } = await waiting([submit(first)]);
    const { page, shot, expectAccessible, context } = await world.openPage();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(address);
    for (const [item, name] of [
      ["Markdown", "md"],
      ["JSON", "json"],
      ["HTML, to print or save as PDF", "html"],
    ] as const) {
      await page.getByRole("button", { name: "Export" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: item }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`plan-move-the-export-job-to-sunday-night-r1.${name}`);
    }
    await page.getByRole("button", { name: "Share" }).click();
    const share = page.locator("hp-share-dialog");
    await share.getByLabel("Ends after").selectOption({ label: "1 day" });
    await share.getByRole("button", { name: "Make a link" }).click();
    const link = await share.getByLabel("Link").inputValue();
    await share.getByRole("button", { name: "Copy" }).click();
    await share.getByText("Copied.").waitFor();
    await shot("review-share");
    await expectAccessible();
    expect((await fetch(link)).status).toBe(200);
    await share.getByRole("button", { name: "End it" }).click();
    await share.getByText("The link no longer works.").waitFor();
    expect((await fetch(link)).status).toBe(404);
  });

  browserTest("[PL-18, UI-05] where two must sign, says who has and who is missing", async () => {
    const world = await openWorld({
      script: [submit(first), { say: "Beginning." }],
      planMode: { defaultActive: true, approvals: { quorum: 2 } },
    });
    const { session } = await world.person.must("sessions.create", { title: "Export job" });
    await world.person.must("chat.send", { sessionId: session.id, text: "Move it." });
    await expect.poll(() => waitingIn(world), PATIENT).toBe(1);
    const { page, shot } = await world.openPage();
    await page.goto(`${world.url}/sessions/${session.id}/plan`);
    await page.locator("hp-decision-bar").getByText("0 of 2 signatures").waitFor();
    await page.getByRole("button", { name: "Accept", exact: true }).click();
    await page.locator("hp-decision-bar").getByText("1 of 2 signatures").waitFor();
    await page.getByText("Signed by local").waitFor();
    const accept = page.getByRole("button", { name: "Accept", exact: true, disabled: true });
    const looks = (): Promise<string> => accept.evaluate((button) => getComputedStyle(button).backgroundColor);
    await accept.hover({ force: true });
    const underTheMouse = await looks();
    await shot("review-quorum");
    await page.mouse.move(0, 0);
    expect(underTheMouse).toBe(await looks()); // what is switched off looks so, also right after the click
    const { secret } = await world.person.must("tokens.create", { name: "bob", scopes: ["operator.approvals"] });
    const bob = await wireClient({ url: world.url, token: secret });
    const { sessions } = await bob.must("sessions.list", { waiting: true });
    const approvalId = ApprovalId.parse(sessions[0]?.waiting?.id);
    await bob.must("sessions.patch", { sessionId: session.id, planApproval: { action: "approve", approvalId } });
    bob.close();
    await page.getByText("Being carried out").waitFor();
  });

  browserTest("[UI-05, UI-07] reads well on a phone, beside a conversation and while the gateway is away", async () => {
    const { world, address } = await waiting([submit(first)]);
    for (const [name, size] of Object.entries({
      phone: PHONE,
      tablet: { width: 768, height: 1024 },
    })) {
      const { page, shot, expectAccessible, expectNoSidewaysScrolling, context } = await world.openPage({ size });
      await page.goto(address);
      await page.locator("#step-2").getByText("Sunday 23:00").waitFor();
      await expectNoSidewaysScrolling();
      await shot(`review-${name}`);
      await page.getByRole("button", { name: "Write a note: Step 2" }).click();
      await page.getByRole("form", { name: "New note" }).waitFor();
      await expectNoSidewaysScrolling();
      await shot(`review-${name}-note`);
      await page.keyboard.press("Escape");
      await page.locator("hp-decision-bar").getByRole("button", { name: "More" }).click();
      await page.getByRole("button", { name: "Edit steps" }).click();
      await page.getByRole("textbox", { name: "Text of step 1" }).waitFor();
      await expectNoSidewaysScrolling();
      await shot(`review-${name}-edit`);
      if (name === "phone") await expectAccessible();
      await context.close();
    }
    const { page, shot, expectAccessible } = await world.openPage({
      theme: "dark",
      size: { width: 1600, height: 900 },
    });
    await page.goto(address.replace(/\/plan$/, ""));
    await page.getByRole("complementary", { name: "Plan" }).locator("#step-2").waitFor();
    await shot("pane-dark");
    await expectAccessible();
    await page.locator("hp-plan-pane #step-2").focus();
    await page.keyboard.press("n");
    await writeNote(page, "From the side.");
    await shot("pane-note");
    await page.goto(address);
    const approve = page.getByRole("button", { name: "Accept", exact: true });
    await expect.poll(() => approve.isEnabled(), PATIENT).toBe(true);
    await shot("review-dark");
    await world.stop();
    await page.getByText("The approval stays pending.").waitFor();
    expect(await approve.isDisabled()).toBe(true);
    await world.start();
    await expect.poll(() => approve.isEnabled(), PATIENT).toBe(true);
  });

  browserTest("[UI-05] five hundred steps are there at once", async () => {
    const many = Array.from({ length: 500 }, (_, n) =>
      step(`Step number ${n + 1}: change \`src/part-${n}.ts\``, "tests pass"),
    );
    const { world, address } = await waiting([submit({ ...first, plan: many })]);
    const { page, shot } = await world.openPage();
    await page.goto(address.replace(/\/plan$/, "/timeline"));
    await page.getByRole("link", { name: "Plan", exact: true }).waitFor();
    await page.getByRole("link", { name: "Plan", exact: true }).click();
    await page.locator("#step-60").waitFor({ state: "attached" });
    await page.locator("#step-500").waitFor({ state: "attached" });
    expect(await page.locator("li.step").count()).toBe(500);
    await page.goto(`${address}#step-480`);
    await page.getByText("Step number 480:").waitFor();
    await expect
      .poll(() => page.locator("#step-480").evaluate((element) => element.matches(":focus")), PATIENT)
      .toBe(true);
    // what is far away is there, but costs no layout
    const isDrawn = (id: string) =>
      page
        .locator(id)
        .evaluate((element) => element.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }));
    expect([await isDrawn("#step-480"), await isDrawn("#step-100")]).toEqual([true, false]);
    await shot("review-500");
  });

  browserTest("[UI-08] hostile text shows as what it is, in every field of a plan and in notes", async () => {
    const texts = ["unicode", "chat-markup"].flatMap((name) => hostile(name));
    const bad = [
      ...texts,
      "<img src=x onerror=\"document.title='owned'\">",
      "<script>document.title='owned'</script>",
      "[click](javascript:document.title='owned')",
      "`<svg onload=alert(1)>`",
      "\u202Egpj.exe\u2066 rm\u200B -rf",
    ];
    const lines = bad.map((text, n) => `${n} ${text}`.slice(0, 1_500));
    const plan = {
      title: "Plan \u202Ewith <b>markup</b>",
      summary: lines.join("\n\n"),
      analysis: lines.join("\n\n"),
      plan: lines.slice(0, 60).map((line) => step(line, `check ${line}`)),
      assumptions: lines.slice(0, 40),
      risks: lines.slice(0, 40).map((line) => ({ risk: line, mitigation: `then ${line}` })),
      verification: lines.slice(0, 40),
      references: lines.slice(0, 40),
    };
    const { world, sessionId, address } = await waiting([submit(plan)]);
    const { sessions } = await world.person.must("sessions.list", { waiting: true });
    const approvalId = ApprovalId.parse(sessions[0]?.waiting?.id);
    for (const text of lines.slice(-8)) {
      const planNote = { action: "add" as const, approvalId, anchor: { on: "plan" as const }, text };
      await world.person.must("sessions.patch", { sessionId, planNote });
    }
    const { page, shot } = await world.openPage();
    await page.goto(address);
    await page.getByRole("heading", { name: "Plan ‹U+202E›with <b>markup</b>" }).waitFor();
    await page.locator("#note-8").waitFor();
    await shot("review-hostile");
    const found = await page.evaluate(() => {
      const roots: ParentNode[] = [document];
      for (const root of roots)
        for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot !== null) roots.push(shadowRoot);
      const all = roots.flatMap((root) => [
        ...root.querySelectorAll("hp-plan-review, hp-plan-review *, hp-plan-document *, hp-note-thread *, .rich *"),
      ]);
      const inside = roots.flatMap((root) => (root instanceof ShadowRoot ? [root.textContent ?? ""] : [])).join("");
      return {
        title: document.title,
        active: all.filter((element) =>
          element.matches(
            "script, img, iframe, object, embed, form[action], [onerror], [onload], a[href^='javascript']",
          ),
        ).length,
        // oxlint-disable-next-line no-control-regex -- such characters are what it looks for
        hidden: /[\u202A-\u202E\u2066-\u2069\u200B\u0000\u001B]/.test(inside),
      };
    });
    expect(found).toEqual({ title: expect.not.stringContaining("owned"), active: 0, hidden: false });
    await page.getByRole("button", { name: "Edit steps" }).click();
    await page.getByRole("textbox", { name: "Text of step 1", exact: true }).waitFor();
    expect(await page.title()).not.toContain("owned");
  });
});

/** The texts of one list of attacks. */
function hostile(name: string): string[] {
  return readFileSync(new URL(`../corpora/${name}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => String((JSON.parse(line) as { text: unknown }).text));
}
