/** What the agent did, as the conversation shows it: calls, refusals in plain words, output while it comes, sub-agents. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { ModelRequest } from "../../src/agent/model.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import type { ScriptStep } from "../kit/scripted-model.ts";
import { acceptIn, cardIn, planWorld, submits } from "./cards-kit.ts";
import { browserTest, openWorld, PHONE } from "./page-world.ts";

/** Runs until the test lets it end; says the same again and again, for the page sees only what is said while it listens. */
const LONG_COMMAND = "until [ -e go-on ]; do echo one; sleep 0.1; done; echo two";
const HOSTILE = "<img src=x onerror=alert(1)>\u202Egnp";

describe("tool rows", () => {
  browserTest("[UI-01] [UI-08] show a call in a line, all of it on demand, and a refusal in plain words", async () => {
    const text = `${HOSTILE}\n${"long ".repeat(2_000)}end of it`;
    const { world, address } = await planWorld([
      {
        say: "I try.",
        calls: [
          { tool: "write", args: { path: "a.txt", content: text } },
          { tool: "no_such_tool", args: { query: HOSTILE } },
        ],
      },
      { say: "I may not." },
    ]);
    for (const size of [{ width: 1280, height: 900 }, PHONE]) {
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size });
      await page.goto(address);
      await page.getByText("I may not.").waitFor();
      await page.getByText("where only reading is allowed", { exact: false }).waitFor();
      await page.getByText("Rule plan-mode/read-only: effect=write").waitFor();
      await page.getByText("<img src=x onerror=alert(1)>‹U+202E›gnp").first().waitFor();
      await shot(`tools-${size.width}`);
      await expectNoSidewaysScrolling();
      await expectAccessible();
      await page.locator("summary", { hasText: "a.txt" }).click();
      const all = page.getByLabel("Arguments");
      await all.waitFor();
      expect(await all.innerText()).not.toContain("end of it"); // in pieces
      for (let n = 0; n < 6 && !(await all.innerText()).includes("end of it"); n += 1) {
        await page
          .getByRole("button", { name: /Show more/ })
          .first()
          .click();
      }
      expect(await all.innerText()).toContain("end of it");
      await expectAccessible();
      expect(await page.getByRole("link", { name: "Open plan" }).count()).toBe(0); // there is none yet
      await page.context().close();
    }
  });

  browserTest("[UI-01] show output while it comes", async () => {
    const world = await openWorld({
      script: [{ calls: [{ tool: "exec", args: { command: LONG_COMMAND } }] }, { say: "Ran." }],
    });
    const { page, shot } = await world.openPage();
    const { session } = await world.person.must("sessions.create", { title: "Run" });
    await page.goto(`${world.url}/sessions/${session.id}`);
    await world.person.must("chat.send", { sessionId: session.id, text: "Run it." });
    await page.getByLabel("Output so far").getByText("one").waitFor();
    await page.getByText("running", { exact: true }).waitFor();
    await shot("tools-live");
    writeFileSync(join(world.workspace, "go-on"), "");
    await page.getByText("Ran.").waitFor();
    expect(await page.getByLabel("Output so far").count()).toBe(0);
  });

  browserTest(
    "[UI-04] [SB-03] a card that sub-agents block names them, and frees itself when they are back",
    async () => {
      const back = Promise.withResolvers<void>();
      const isChild = new Set<string>();
      let parent = "";
      let asked = 0;
      const script = ({ sessionId }: ModelRequest): ScriptStep => {
        parent ||= sessionId;
        if (sessionId !== parent) {
          const isFirst = !isChild.has(sessionId);
          isChild.add(sessionId);
          return isFirst ? { say: "Colours: blue." } : { say: "Checked again.", until: back.promise };
        }
        asked += 1;
        if (asked === 1)
          return { calls: [{ tool: "sessions_spawn", args: { task: "Look at colours", title: "Colours" } }] };
        return asked === 3 ? submits("Paint it blue") : { say: "I wait." };
      };
      const { world, address } = await planWorld(script);
      const { page, shot, expectAccessible } = await world.openPage();
      await page.goto(address);
      await acceptIn(page).waitFor();
      await page.getByText("back", { exact: true }).first().waitFor();
      const [childId] = isChild;
      await world.person.must("chat.send", { sessionId: SessionId.parse(childId), text: "Check again." });
      const card = cardIn(page);
      await card.getByText("A sub-agent still works on it", { exact: false }).waitFor();
      await card.getByRole("link", { name: "Colours" }).waitFor();
      expect(await card.getByRole("button", { name: "Accept", exact: true }).isDisabled()).toBe(true);
      expect(await card.getByRole("button", { name: "Revise" }).isDisabled()).toBe(false);
      await shot("blocked-wide");
      await expectAccessible();
      back.resolve();
      await acceptIn(page).waitFor();
    },
  );
});
