/** Signing a plan and answering a question in the conversation, by mouse and by keyboard alone. */
import { describe, expect } from "vitest";
import { ApprovalId, NoteId } from "../../src/protocol/ids.ts";
import type { ScriptStep } from "../kit/scripted-model.ts";
import { acceptIn, cardIn, closes, composerIn, focused, planWorld, submits, tabTo, waitingId } from "./cards-kit.ts";
import { browserTest, PHONE, PATIENT } from "./page-world.ts";

describe("the approval card", () => {
  browserTest("[UI-02] [UI-04] a whole cycle with the mouse: revise, a new revision, accept, done", async () => {
    const { world, address } = await planWorld([
      submits("Paint the shed red"),
      submits("Paint the shed blue"),
      closes,
      { say: "The shed is blue." },
    ]);
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(address);
    const card = cardIn(page);
    await card.getByRole("heading", { name: "Paint the shed red" }).waitFor();
    await card.getByText("3 steps", { exact: true }).waitFor();
    await card.getByText(/^Digest [0-9a-f]{12}$/).waitFor();
    expect(await composerIn(page).isVisible()).toBe(false);
    await acceptIn(page).waitFor();
    await shot("card-wide");
    await expectAccessible();
    await card.getByText("Show the steps").click();
    await card.getByText("Buy blue paint").waitFor();
    await card.getByRole("button", { name: "Revise" }).click();
    await card.getByRole("textbox", { name: "What should change?" }).fill("Blue, please.");
    await shot("card-revise-wide");
    await card.getByRole("button", { name: "Send back" }).click();
    await card.getByRole("heading", { name: "Paint the shed blue" }).waitFor();
    await world.person.must("config.set", { path: "tools.exec.sandbox", value: "none" });
    await card.getByText(/Commands run without a sandbox here/).waitFor();
    await world.person.must("config.set", { path: "tools.exec.sandbox", value: "auto" });
    await card.getByText(/Revision 2 took the place/).waitFor();
    expect(await card.getByRole("textbox").count()).toBe(0);
    await card.getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByText("The shed is blue.").waitFor();
    await page.getByText("3 of 3 done").first().waitFor();
    await composerIn(page).waitFor();
    await shot("card-done-wide");
  });

  browserTest("[UI-02] the same by keyboard alone; no key decides by accident", async () => {
    const { world, address } = await planWorld([
      submits("Paint the shed red"),
      submits("Paint the shed blue"),
      { say: "I begin." },
    ]);
    const { page } = await world.openPage();
    await page.goto(address);
    const card = cardIn(page);
    await acceptIn(page).waitFor();
    await page.keyboard.press("Enter"); // the keyboard is nowhere near the button
    await page.goto(`${address}?card=${await waitingId(world)}`);
    await expect.poll(() => focused(page), PATIENT).toBe("Paint the shed red");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    await card.getByRole("button", { name: "Revise", disabled: false }).waitFor();
    await tabTo(page, "Revise");
    await page.keyboard.press("Enter");
    const text = card.getByRole("textbox", { name: "What should change?" });
    await expect.poll(() => text.evaluate((field) => field.matches(":focus")), PATIENT).toBe(true);
    await page.keyboard.type("Blue,");
    await page.keyboard.press("Enter"); // a new line, not a decision
    await page.keyboard.type("please.");
    await page.keyboard.press("Escape");
    expect(await text.count()).toBe(0);
    await expect.poll(() => focused(page), PATIENT).toBe("Revise");
    await page.keyboard.press("Enter");
    expect(await text.inputValue()).toBe("Blue,\nplease.");
    await page.keyboard.press("Control+Enter");
    await card.getByRole("heading", { name: "Paint the shed blue" }).waitFor();
    await expect.poll(() => focused(page), PATIENT).toBe("Paint the shed blue");
    await acceptIn(page).waitFor();
    await tabTo(page, "Accept");
    await page.keyboard.press("Enter");
    await page.getByText("I begin.").waitFor();
    await page.getByText(/Accepted by .+ \(you\)/).waitFor();
    await expect.poll(() => composerIn(page).evaluate((field) => field.matches(":focus")), PATIENT).toBe(true);
  });

  browserTest("[UI-07] fits a phone, in both themes, with a long title", async () => {
    const title = "Paint the garden shed and the fence beside it, in the blue that was agreed on in spring";
    const { world, address } = await planWorld([submits(title)]);
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: PHONE });
    await page.goto(address);
    const card = cardIn(page);
    await acceptIn(page).waitFor();
    await expectNoSidewaysScrolling();
    await shot("card-phone");
    await page.emulateMedia({ colorScheme: "dark" });
    await card.getByRole("button", { name: "Revise" }).click();
    await card.getByRole("textbox").fill("Blue, please.");
    await shot("card-phone-dark");
    await expectNoSidewaysScrolling();
    await expectAccessible();
  });

  browserTest(
    "[UI-02] [UI-07] keeps its actions together at every width, and says how the two accepts differ",
    async () => {
      const { world, address } = await planWorld([submits("Paint the shed")]);
      for (const [locale, hint] of [
        ["en", "“Accept” signs the steps as they stand."],
        ["de", "„Annehmen“ unterschreibt die Schritte, wie sie dastehen."],
      ] as const) {
        const { page, shot } = await world.openPage({ locale });
        await page.goto(address);
        await page.getByText(hint).waitFor();
        for (const width of [320, 390, 540, 700, 800, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          const alone = async (): Promise<number[][]> => {
            const tops = await page
              .locator("hp-approval-card .actions .button")
              .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().bottom)));
            const rows = Map.groupBy(tops.slice(1), (bottom) =>
              tops.slice(1).find((one) => Math.abs(one - bottom) < 12),
            );
            return [...rows.values()].filter(
              (row) => row.length === 1 && Math.abs((row[0] ?? 0) - (tops[0] ?? 0)) >= 12,
            );
          };
          await shot(`card-actions-${locale}-${width}`);
          await expect.poll(alone, { ...PATIENT, message: `${locale} at ${width}` }).toEqual([]); // once the window has settled
        }
      }
    },
  );

  browserTest("[UI-02] a double click accepts once, and not the revision that comes after", async () => {
    const { world, address } = await planWorld([submits("Paint it"), closes, { say: "Done." }]);
    const { page } = await world.openPage();
    await page.goto(address);
    await cardIn(page).getByRole("button", { name: "Accept", exact: true }).dblclick();
    await page.getByText("Done.", { exact: true }).waitFor();
    const { rows } = await world.person.must("audit.list", { limit: 200 });
    const approved = rows.filter(({ body }) => body.includes("plan.decided"));
    expect(approved).toHaveLength(1);
  });

  browserTest("[BY-06] [UI-04] says which notes must be resolved first, until they are", async () => {
    const { world, sessionId, address } = await planWorld([submits("Paint it"), { say: "I begin." }], {
      requireResolvedThreads: true,
    });
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(address);
    await acceptIn(page).waitFor();
    const approvalId = ApprovalId.parse(await waitingId(world));
    const planNote = {
      action: "add" as const,
      approvalId,
      anchor: { on: "step" as const, step: 2 },
      text: "Which blue?",
    };
    await world.person.must("sessions.patch", { sessionId, planNote });
    await cardIn(page).getByText("1 open note", { exact: true }).waitFor();
    const blocked = cardIn(page).getByText(/Open notes must be resolved/);
    await blocked.waitFor();
    await cardIn(page).getByRole("link", { name: "See the notes" }).waitFor();
    expect(await acceptIn(page).count()).toBe(0); // it rests, and the card says why
    await shot("threads-wide");
    await expectAccessible();
    const { session } = await world.person.must("sessions.get", { sessionId });
    const noteId = NoteId.parse(/nte_[\w-]+/.exec(JSON.stringify(session.slices))?.[0]);
    await world.person.must("sessions.patch", { sessionId, planNote: { action: "resolve", noteId } });
    await expect.poll(() => blocked.count(), PATIENT).toBe(0);
    await acceptIn(page).click();
    await page.getByText("I begin.").waitFor();
  });

  browserTest("[PL-16] says that auto accepted by a rule, not by a person", async () => {
    const { world, address } = await planWorld([{ say: "Hello." }, submits("Paint it"), { say: "I begin." }]);
    const { page, shot } = await world.openPage();
    await page.goto(address);
    await page.getByText("Hello.").waitFor();
    await page.getByRole("button", { name: "Mode: Plan" }).click();
    await page.getByRole("menuitemradio", { name: /Plan ⚡/ }).click();
    const dialog = page.getByRole("dialog", { name: "Accept plans without reading them?" });
    await dialog.waitFor();
    await shot("mode-sure-wide");
    await page.getByRole("button", { name: "Switch Plan ⚡ on" }).click();
    await page.getByRole("button", { name: "Mode: Plan ⚡" }).waitFor();
    await composerIn(page).fill("Paint the shed.");
    await composerIn(page).press("Enter");
    // in what happened, on the card, and beside the conversation: each may be the only one that somebody looks at
    for (const place of ["hp-virtual-list", "hp-session-cards", "hp-plan-pane"])
      await page
        .locator(place)
        .getByText(/Accepted by a rule, not by a person/)
        .waitFor();
    await page.getByRole("button", { name: "Mode: Plan ⚡" }).waitFor();
    await shot("card-auto-wide");
  });
});

describe("the question card", () => {
  const asks = (allowFreetext: boolean): ScriptStep => ({
    calls: [
      {
        tool: "ask_user_question",
        args: {
          question: "Which blue?",
          options: [
            { id: "sky", label: "Sky", description: "Light, as agreed in spring" },
            { id: "navy", label: "Navy" },
          ],
          allowFreetext,
        },
      },
    ],
  });

  browserTest("[UI-02] takes an option, or words where they are allowed", async () => {
    const { world, address } = await planWorld([asks(false), asks(true), { say: "Thanks." }]);
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(address);
    const card = cardIn(page, /The agent has a question/);
    await card.getByText("Light, as agreed in spring").waitFor();
    expect(await card.getByRole("button", { name: "Other …" }).count()).toBe(0);
    expect(await composerIn(page).isVisible()).toBe(false);
    await card.getByRole("button", { name: /^Sky/, disabled: false }).waitFor();
    await shot("question-wide");
    await expectAccessible();
    await card.getByRole("button", { name: /^Sky/ }).click();
    const other = card.getByRole("button", { name: "Other …" });
    await other.click();
    const text = card.getByRole("textbox", { name: "Your answer" });
    await text.fill("The one of the door");
    await page.keyboard.press("Enter");
    expect(await text.inputValue()).toBe("The one of the door\n");
    await page.keyboard.press("Control+Enter");
    await page.getByText(/answered: The one of the door/).waitFor();
    await page.getByText("Thanks.").waitFor();
    await composerIn(page).waitFor();
  });

  browserTest("[UI-02] shows the exact call that a gate holds, and lets it pass once", async () => {
    const write = { tool: "write", args: { path: "notes.txt", content: "blue\n" } };
    const { world, sessionId, address } = await planWorld([
      { say: "Hi." },
      { calls: [write] },
      { calls: [write] },
      { say: "Written." },
    ]);
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(address);
    await page.getByText("Hi.", { exact: true }).waitFor();
    await world.person.must("sessions.patch", { sessionId, planMode: "normal" });
    await world.person.must("sessions.patch", { sessionId, permissionMode: "ask" });
    await page.getByRole("button", { name: "Mode: Ask" }).waitFor();
    await composerIn(page).fill("Write it down.");
    await composerIn(page).press("Enter");
    const card = cardIn(page, /A call is held until you answer/);
    await card.getByRole("heading", { name: "write" }).waitFor();
    await card.getByText(world.workspace).first().waitFor();
    await card
      .getByText(/notes\.txt/)
      .first()
      .waitFor();
    await card.getByRole("button", { name: /^Allow once/, disabled: false }).waitFor();
    await page.getByText("in this mode such a change needs a person’s yes", { exact: false }).waitFor();
    await shot("held-wide");
    await expectAccessible();
    await page.getByRole("button", { name: "Decide about this call" }).click();
    await expect.poll(() => focused(page), PATIENT).toBe("write");
    await card.getByRole("button", { name: /^Allow once/ }).click();
    await page.getByText("Written.").waitFor();
  });
});
