/** A person writes the plan of an agent outside on the page, and signs it there. */
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { say } from "../kit/outside-agent.ts";
import { acceptIn, cardIn } from "./cards-kit.ts";
import { browserTest, openWorld, PHONE } from "./page-world.ts";

describe("a session of an agent outside", () => {
  browserTest("[UI-02, IG-03] takes a plan that a person writes, which then waits for a signature", async () => {
    const world = await openWorld({ script: [] });
    const place = { agent: "my-bot", session: "one", workspace: world.workspace };
    const line = { do: "call", ...place, tool: "write", args: { path: "a.txt" } };
    const { sessionId } = await say(join(dirname(world.workspace), "home"), line).answer;
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: PHONE });
    await page.goto(`${world.url}/sessions/${typeof sessionId === "string" ? sessionId : ""}`);
    await page.getByText("This agent may only read").waitFor();
    await page.getByRole("button", { name: "Write a plan", disabled: false }).click();
    await page
      .getByRole("textbox", { name: "What it may do, one step per line" })
      .fill("# Tidy up\n\n- sort the files\n");
    expect(await page.getByText("Put into a message").count()).toBe(0); // it is being written, not left behind
    await shot("written-plan-phone");
    await expectAccessible();
    await expectNoSidewaysScrolling();
    await page.getByRole("button", { name: "Write a plan" }).last().click();
    await cardIn(page).getByRole("heading", { name: "Tidy up" }).waitFor();
    await acceptIn(page).click();
    await page.getByText("This agent may only read").waitFor({ state: "detached" });
  });
});
