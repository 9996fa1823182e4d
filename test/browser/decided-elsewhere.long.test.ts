/** A card while things happen elsewhere: other browsers, the terminal, a gateway that goes away and comes back. */
import { describe, expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { leapingClock } from "../kit/leaping-clock.ts";
import { acceptIn, cardIn, composerIn, openFor, planWorld, submits, waitingId } from "./cards-kit.ts";
import { browserTest, PATIENT } from "./page-world.ts";
import { realisticPlan } from "./realistic-plans.ts";

const HOUR_S = 3_600;

describe("a decision elsewhere", () => {
  browserTest("[UI-04] [PL-09] of two browsers that accept at once one wins, and both say who", async () => {
    const { world, address } = await planWorld([submits("Paint it"), { say: "I begin." }]);
    const [ann, ben] = [await openFor(world, "Ann"), await openFor(world, "Ben")];
    const pages = [ann.page, ben.page];
    await Promise.all(pages.map((page) => page.goto(address)));
    await Promise.all(pages.map((page) => acceptIn(page).waitFor()));
    await Promise.all(
      pages.map((page) =>
        acceptIn(page)
          .click({ noWaitAfter: true })
          .catch(() => undefined),
      ),
    );
    const said = await Promise.all(
      pages.map((page) =>
        page
          .getByText(/^Accepted by (Ann|Ben)( \(you\))?$/)
          .first()
          .innerText(),
      ),
    );
    const winner = said.map((text) => /Ann|Ben/.exec(text)?.[0]);
    expect(winner[0]).toBe(winner[1]);
    expect(said.filter((text) => text.endsWith("(you)"))).toHaveLength(1);
    await Promise.all(pages.map((page) => composerIn(page).waitFor()));
    await ann.shot("two-ann");
  });

  browserTest("[UI-04] decided by another surface while the card is open: it says so at once", async () => {
    const { world, sessionId, address } = await planWorld([submits("Paint it"), { say: "Red then." }]);
    const { page, shot } = await world.openPage();
    await page.goto(address);
    await acceptIn(page).waitFor();
    const approvalId = ApprovalId.parse(await waitingId(world));
    await world.person.must("sessions.patch", {
      sessionId,
      planApproval: { action: "reject", approvalId, feedback: "Not this year." },
    });
    await page.getByText(/^Sent back by local/).waitFor();
    await page.getByText("Not this year.").first().waitFor();
    expect(await cardIn(page).count()).toBe(0);
    await shot("rejected-wide");
    await page.getByRole("button", { name: "Decide again" }).click();
    const again = cardIn(page, /^Plan Paint it/); // it was sent back: nothing waits any more
    await again.getByRole("button", { name: "Accept nevertheless", exact: true, disabled: false }).click();
    await page.getByText(/^Accepted by local/).waitFor();
  });

  browserTest("[UI-13] the words of a second reviewer outlive the decision of the first, who is named", async () => {
    const plan = realisticPlan("payments");
    const read = Promise.withResolvers<void>();
    const { world, sessionId, address } = await planWorld([
      { calls: [{ tool: "exit_plan_mode", args: plan }] },
      { until: read.promise, ...submits("Paint it") },
      { say: "I begin." },
    ]);
    const [ann, ben] = [await openFor(world, "Ann"), await openFor(world, "Ben")];
    await ann.page.goto(`${address}/plan`);
    await ann.page.getByRole("button", { name: "Write a note: Step 1", exact: true }).click();
    const note = ann.page.getByRole("form", { name: "New note" }).getByRole("textbox", { name: "Note" });
    await note.fill("Is the index built concurrently?");
    await ann.page.getByRole("button", { name: "Revise", disabled: false }).click();
    const words = "Which tenants go first? I would begin with the two internal ones.";
    await ann.page.getByRole("textbox", { name: "What should be different?" }).fill(words);
    expect(await ann.page.getByRole("button", { name: /^Accept/ }).count()).toBe(0); // nothing beside the text approves
    await ann.shot("send-back-no-accept");
    await ben.page.goto(address);
    await cardIn(ben.page).getByRole("button", { name: "Revise", disabled: false }).click();
    await cardIn(ben.page).getByRole("textbox").fill("Not before the freeze ends.");
    expect(
      await cardIn(ben.page)
        .getByRole("button", { name: /^Accept/ })
        .count(),
    ).toBe(0);
    await cardIn(ben.page).getByRole("button", { name: "Send back" }).click();
    const kept = ann.page.getByRole("region", { name: /What you wrote was not sent/ });
    await kept.getByText("Sent back by Ben.").waitFor();
    await kept.getByText(words).waitFor();
    const keptNote = ann.page.getByRole("region", { name: /Your note was not sent/ });
    await keptNote.getByText("Is the index built concurrently?").waitFor();
    await ann.shot("draft-kept-review");
    await ann.expectAccessible();
    read.resolve();
    // the agent has submitted again: words that were put on the rejected revision would be kept a second time
    await ann.page.getByText("Paint it", { exact: true }).first().waitFor();
    await kept.getByRole("button", { name: "Use it for this revision" }).click();
    const again = ann.page.getByRole("textbox", { name: "What should be different?" });
    await expect.poll(() => again.inputValue(), PATIENT).toBe(words);
    await keptNote.getByRole("button", { name: "Use it for this revision" }).click();
    await expect.poll(() => note.inputValue(), PATIENT).toBe("Is the index built concurrently?");
    await note.fill("");
    await world.person.must("sessions.patch", { sessionId, planMode: "normal" });
    await kept.getByText(words).waitFor();
    await kept.getByRole("button", { name: "Put into a message" }).click();
    await expect.poll(() => composerIn(ann.page).inputValue(), PATIENT).toBe(words);
    expect(await kept.count()).toBe(0);
  });

  browserTest("[UI-04] keeps card and draft while the gateway is away, and goes on when it is back", async () => {
    const { world, address } = await planWorld([submits("Paint it"), submits("Paint it blue")]);
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(address);
    const card = cardIn(page);
    await acceptIn(page).waitFor();
    await card.getByRole("button", { name: "Revise" }).click();
    const text = card.getByRole("textbox", { name: "What should change?" });
    await text.fill("Blue,");
    await world.stop();
    await card.getByText("the approval stays pending", { exact: false }).waitFor();
    expect(await card.getByRole("button", { name: "Accept", exact: true }).count()).toBe(0); // none beside the text
    expect(await card.getByRole("button", { name: "Send back" }).isDisabled()).toBe(true);
    await text.fill("Blue, please.");
    await page.keyboard.press("Control+Enter"); // away: nothing is sent, nothing is lost
    await shot("card-away-wide");
    await expectAccessible();
    await world.start();
    await card.getByRole("button", { name: "Send back", disabled: false }).waitFor();
    expect(await text.inputValue()).toBe("Blue, please.");
    await page.reload();
    await acceptIn(page).waitFor();
    await card.getByRole("button", { name: "Revise" }).click();
    expect(await text.inputValue()).toBe("Blue, please.");
    await text.press("Control+Enter");
    await card.getByRole("heading", { name: "Paint it blue" }).waitFor();
  });

  browserTest("[PL-18] [UI-04] shows who has signed and who is missing", async () => {
    const { world, address } = await planWorld([submits("Paint it"), { say: "I begin." }], {
      approvals: { quorum: 2 },
    });
    const [ann, ben] = [await openFor(world, "Ann"), await openFor(world, "Ben")];
    await ann.page.goto(address);
    await acceptIn(ann.page).click();
    await ann.page.getByText("You have signed. Others must sign too.").waitFor();
    await ben.page.goto(address);
    await cardIn(ben.page).getByText("1 of 2 signatures").waitFor();
    await cardIn(ben.page)
      .getByText(/^Ann signed/)
      .waitFor();
    await cardIn(ben.page).getByText("One more person must sign").waitFor();
    await ben.shot("quorum-wide");
    await ben.expectAccessible();
    await acceptIn(ben.page).click();
    await ben.page.getByText("Accepted by Ben (you)").waitFor();
    await ann.page.getByText("Accepted by Ben", { exact: true }).waitFor();
  });

  browserTest("[UI-04] says that the time ran out, and gives the composer back", async () => {
    const clock = leapingClock();
    const { world, address } = await planWorld([submits("Paint it")], { approvalTimeoutSeconds: HOUR_S }, { clock });
    const { page, shot } = await world.openPage();
    await page.addInitScript(() => Reflect.set(Document.prototype, "hasFocus", () => false)); // nobody reads
    await page.goto(address);
    await cardIn(page).waitFor();
    clock.leap(HOUR_S * 1_000);
    await page.getByText(/Time ran out before anybody decided/).waitFor();
    await composerIn(page).waitFor();
    await shot("expired-wide");
  });
});
