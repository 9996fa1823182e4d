/** Two people act on one plan in the same moment, and the gateway goes away in the middle: one decision, both are told, no word is lost. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { approvalIn } from "../../src/protocol/card/card.ts";
import { openFor } from "./cards-kit.ts";
import { browserTest, LONG_MS_MAX, openWorld, PATIENT, type World } from "./page-world.ts";
import { realisticPlan } from "./realistic-plans.ts";

const PHONE = { size: { width: 390, height: 844 }, touch: true };
const DESK = { size: { width: 1440, height: 900 } };
const ROUNDS = 4;
const WORDS = "Say how the index is built.";
const NOTES = ["Is the index built concurrently?", "Who is on call that night?"] as const;

const plan = realisticPlan("payments");
const args = JSON.parse(JSON.stringify(plan)) as JsonObject;
const submit = { calls: [{ tool: "exit_plan_mode", args }] };

/** The agent submits, and once more where it was sent back; where it was accepted it begins. */
const openRaceWorld = (): Promise<World> =>
  openWorld({
    planMode: { defaultActive: true },
    script: ({ entries }) => {
      const isFirst = !entries.some(({ kind }) => kind === "assistant");
      const isBack = JSON.stringify(entries).includes(WORDS);
      return isFirst || isBack ? submit : { say: "I begin." };
    },
  });

async function planIn(world: World): Promise<{ sessionId: SessionId; address: string }> {
  const { session } = await world.person.must("sessions.create", { title: "Payments" });
  await world.person.must("chat.send", { sessionId: session.id, text: "Split the ledger." });
  const isWaiting = async (): Promise<boolean> =>
    (await world.person.must("sessions.get", { sessionId: session.id })).session.waiting !== null;
  await expect.poll(isWaiting, PATIENT).toBe(true);
  return { sessionId: session.id, address: `${world.url}/sessions/${session.id}/plan` };
}

/** A note that is begun and not sent. */
async function beginNote(page: Page, step: number, words: string): Promise<void> {
  await page.getByRole("button", { name: `Write a note: Step ${step}`, exact: true }).click();
  await page.getByRole("form", { name: "New note" }).getByRole("textbox", { name: "Note" }).fill(words);
}

const bar = (page: Page) => page.locator("hp-decision-bar");
const accept = (page: Page) => bar(page).getByRole("button", { name: "Accept", exact: true, disabled: false });

async function beginSendBack(page: Page): Promise<void> {
  await bar(page).getByRole("button", { name: "Revise", disabled: false }).click();
  await bar(page).getByRole("textbox").fill(WORDS);
}

describe("two people in the same moment", { timeout: LONG_MS_MAX }, () => {
  browserTest("[UI-13, UI-04, PL-09] one sends back while the other signs", async () => {
    const world = await openRaceWorld();
    const ann = await openFor(world, "Ann", PHONE);
    const ben = await openFor(world, "Ben", DESK);
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { sessionId, address } = await planIn(world);
      await Promise.all([ann, ben].map(({ page }) => page.goto(address)));
      await beginNote(ann.page, 1, NOTES[0]);
      await beginNote(ben.page, 2, NOTES[1]);
      await beginSendBack(ann.page);
      await accept(ben.page).waitFor();
      const both = await Promise.all(
        [bar(ann.page).getByRole("button", { name: "Send back to the agent" }), accept(ben.page)].map((button) =>
          button.elementHandle(),
        ),
      );
      const press = (element: Node): void => void (element.isConnected && (element as HTMLElement).click()); // or it is gone
      await Promise.all(both.map((button) => button?.evaluate(press)));
      const outcome = async (): Promise<string> => {
        const { session } = await world.person.must("sessions.get", { sessionId });
        if (session.mode === "executing" || session.mode === "normal") return "signed";
        const { plans } = await world.person.must("plans.list", { sessionId });
        return (approvalIn(session.cards ?? [])?.revision ?? plans.length) > 1 ? "sent back" : "open";
      };
      await expect.poll(outcome, PATIENT).not.toBe("open");
      const came = await outcome();
      outcomes.push(came);
      const who = came === "signed" ? "Accepted by Ben" : "Sent back by Ann";
      for (const [{ page, shot }, note] of [
        [ann, NOTES[0]],
        [ben, NOTES[1]],
      ] as const) {
        const kept = page.getByRole("region", { name: "Your note was not sent" });
        await kept.filter({ hasText: note }).filter({ hasText: who }).waitFor();
        await shot(`race-${round}-${came}-${page === ann.page ? "ann" : "ben"}`);
        await kept.getByRole("button", { name: "Discard" }).click();
      }
      if (came === "signed") {
        const words = ann.page.getByRole("region", { name: /What you wrote was not sent/ }).filter({ hasText: WORDS });
        await words.getByText("Accepted by Ben", { exact: false }).waitFor();
      }
    }
    expect(outcomes).toHaveLength(ROUNDS);
  });

  browserTest(
    "[UI-13, UI-04] drafts of both outlive a gateway that goes away, and a reload before it is back",
    async () => {
      const world = await openRaceWorld();
      const ann = await openFor(world, "Ann", PHONE);
      const ben = await openFor(world, "Ben", DESK);
      const { address } = await planIn(world);
      await Promise.all([ann, ben].map(({ page }) => page.goto(address)));
      await beginNote(ann.page, 1, NOTES[0]);
      await accept(ben.page).waitFor();
      await ben.page.keyboard.press("e");
      const field = ben.page.getByRole("textbox", { name: "Text of step 1", exact: true });
      await field.fill("Build the index concurrently");
      await world.stop();
      await ann.page.getByText("The gateway is out of reach. Trying again").waitFor();
      await ann.page.keyboard.press("Control+Enter"); // nobody is there to hear it
      await field.fill("Build the index concurrently, at night");
      await ben.page.keyboard.press("Control+Enter");
      expect(await ben.page.locator("hp-confirm-edited").count()).toBe(0);
      await world.start();
      await ann.page.reload();
      await ann.page.getByRole("button", { name: "Write a note: Step 1", exact: true }).click();
      const note = ann.page.getByRole("form", { name: "New note" }).getByRole("textbox", { name: "Note" });
      expect(await note.inputValue()).toBe(NOTES[0]);
      await note.press("Control+Enter");
      await ben.page.reload();
      await ben.page.getByText("You have an unfinished edit of this plan.").waitFor();
      await ben.page.locator("hp-note-thread").getByText(NOTES[0]).waitFor(); // what she sent came to him
      await ben.page.getByRole("button", { name: "Go on editing" }).click();
      expect(await field.inputValue()).toBe("Build the index concurrently, at night");
      await ben.page.keyboard.press("Control+Enter");
      const confirm = ben.page.locator("hp-confirm-edited");
      await confirm.getByText("at night").waitFor();
      await confirm.getByRole("button", { name: "Approve edited plan", disabled: false }).click();
      await confirm.waitFor({ state: "detached" });
      await ann.page.getByText("Being carried out").waitFor();
      expect(JSON.stringify(await world.model.asked(2))).toContain("concurrently, at night");
    },
  );
});
