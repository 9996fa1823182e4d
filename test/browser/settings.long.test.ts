/** Settings of the page and of the gateway, and who is logged in. */
import { describe, expect } from "vitest";
import { browserTest, openWorld, PHONE, PATIENT } from "./page-world.ts";

describe("the settings", () => {
  browserTest("[UI-07] change the configuration, with the gateway's own words where a value is no good", async () => {
    const world = await openWorld();
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage();
    await page.goto(`${world.url}/settings`);
    const quorum = page.getByLabel("Signatures that a plan needs");
    await quorum.fill("0");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").filter({ hasText: "approvals.quorum" }).waitFor();
    expect(await quorum.getAttribute("aria-invalid")).toBe("true");
    await shot("settings-problem-wide");
    await quorum.fill("2");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. It holds from now on.").waitFor();
    expect(await world.person.must("config.get", { path: "approvals.quorum" })).toMatchObject({ value: 2 });
    await page.getByLabel("What is asked about outside plan mode").selectOption("ask");
    expect(await world.person.must("config.get", { path: "agents.defaults.permissionMode" })).toMatchObject({
      value: "default", // choosing is not saving
    });
    await page.getByRole("button", { name: "Save" }).click();
    const saved = () => world.person.must("config.get", { path: "agents.defaults.permissionMode" });
    await expect.poll(async () => (await saved()).value, PATIENT).toBe("ask");
    await page.getByText(/Kept in .*config\.yaml/).waitFor();
    await expectAccessible();
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScrolling();
    await shot("settings-phone");
  });

  browserTest("[UI-01] log in another browser by a link, revoke it, and log this one out", async () => {
    const world = await openWorld();
    const { page, shot, expectAccessible } = await world.openPage();
    await page.goto(`${world.url}/settings`);
    await page.getByRole("button", { name: "Log in another device" }).click();
    const link = await page.getByLabel("Link for the other device").inputValue();
    expect(link).toMatch(/#login=/);
    await shot("settings-wide");
    await expectAccessible();
    const other = await world.openStranger();
    await other.page.goto(link);
    await other.page.reload();
    await other.page.getByText("No sessions yet").waitFor();
    await page.reload();
    await page.getByText("this one").waitFor();
    await page.getByRole("button", { name: /^Revoke: Browser/ }).click();
    await page.locator("hp-dialog[open]").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked.").waitFor();
    await other.page.getByText("holdpoint link", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Log out of this browser" }).click();
    await page.getByText("holdpoint link", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("holdpoint link", { exact: true }).waitFor();
  });
});
