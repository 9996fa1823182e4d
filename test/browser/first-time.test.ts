/** What somebody who has never seen the page is told on the way from the first word to a plan that is done. */
import { describe, expect } from "vitest";
import { closes, submits } from "./cards-kit.ts";
import { browserTest, openWorld, PATIENT } from "./page-world.ts";

const SMALL = { width: 390, height: 844 };

describe("for the first time", () => {
  browserTest(
    "[UI-01] [UI-05] says what happens with what is written, and what became of what was signed",
    async () => {
      const goOn = Promise.withResolvers<void>();
      const world = await openWorld({
        script: [submits("Paint the shed"), { say: "I begin.", until: goOn.promise, ...closes }, { say: "Done." }],
        planMode: { defaultActive: true },
      });
      const { session } = await world.person.must("sessions.create", { title: "The shed" });
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: SMALL });
      await page.goto(`${world.url}/sessions/${session.id}`);
      await page.getByText("Nothing changes until you have signed it.").waitFor();
      await shot("first-empty");
      await page.getByRole("textbox", { name: "Message" }).fill("Paint the shed.");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText(/^submitted by agent main/).waitFor();
      await page.getByText("Time left to decide:").waitFor();
      await page.getByRole("link", { name: "Plan", exact: true }).click();
      await page.getByText("stands still while you read").waitFor(); // and not by a name that one does not know as one's own
      await page.getByRole("button", { name: "Accept", exact: true, disabled: false }).click();
      await page.getByText("Accepted. The agent carries the plan out.").waitFor();
      await page.getByText("Being carried out").waitFor();
      await expectNoSidewaysScrolling();
      await expectAccessible();
      await shot("first-accepted");
      goOn.resolve();
      await page.getByText(/local \(you\): approved/).waitFor();
      expect(await page.getByText("Not active").count()).toBe(0);
      await shot("first-done");
      await page.getByRole("status").getByRole("link", { name: "Progress" }).click();
      await expect.poll(() => page.getByText("3 of 3 done").count(), PATIENT).toBe(1);
    },
  );
});
