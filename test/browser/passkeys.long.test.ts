/** Passkeys on the page, in Chromium with an authenticator of its own: added by a link, asked for by the card, listed. */
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { verifySignedRows } from "../../src/gateway/presence/verify-signed-rows.ts";
import { acceptIn, cardIn, planWorld, submits } from "./cards-kit.ts";
import { browserTest, openPage, PATIENT, PHONE, type World } from "./page-world.ts";

const PRESENCE = { approvals: { presence: "passkey" } };

type Authenticator = { cdp: CDPSession; authenticatorId: string };

/** As a laptop with a fingerprint reader has one. */
async function authenticatorIn(context: BrowserContext, page: Page): Promise<Authenticator> {
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function logInAt({ person }: World, page: Page, path: string): Promise<void> {
  const { fragment, page: origin } = await person.must("tokens.link", {});
  await page.goto(`${origin}${path}${fragment}`);
}

async function addPasskey({ person }: World, page: Page): Promise<void> {
  const { link } = await person.must("passkeys.link", {});
  await page.goto(link);
  await page.getByLabel("What you call it").fill("Laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("was added").waitFor();
}

describe("passkeys", () => {
  browserTest("[GW-10, UI-02] are added by a link, asked for by the card, and their signature holds", async () => {
    const { world, sessionId } = await planWorld([submits("Paint the shed"), { say: "Done." }], PRESENCE);
    const opened = await openPage({});
    const { page, context } = opened;
    const { cdp, authenticatorId } = await authenticatorIn(context, page);
    const { link } = await world.person.must("passkeys.link", {});
    expect(link).toMatch(/^http:\/\/localhost:\d+\/#passkey=/);
    await page.goto(link);
    await page.getByText("This adds a passkey for local.").waitFor();
    await opened.shot("passkey-enrol-wide");
    await opened.expectAccessible();
    await page.setViewportSize(PHONE);
    await opened.expectNoSidewaysScrolling();
    await opened.shot("passkey-enrol-phone");
    await page.getByLabel("What you call it").fill("Laptop");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("The passkey for local was added.").waitFor();
    await opened.shot("passkey-added-phone");
    expect(page.url()).not.toContain("passkey=");

    await logInAt(world, page, `/sessions/${sessionId}`);
    await cardIn(page).waitFor();
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await acceptIn(page).click();
    await page.getByText("No passkey was given. Nothing was decided.").waitFor();
    await opened.shot("passkey-cancelled-phone");
    await page.setViewportSize({ width: 1280, height: 800 });
    await opened.expectAccessible();
    await opened.shot("passkey-cancelled-wide");

    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await acceptIn(page).click();
    await cardIn(page).waitFor({ state: "detached" });
    const rows = async (afterSeq: number) => (await world.person.must("audit.list", { afterSeq, limit: 200 })).rows;
    await expect.poll(async () => (await verifySignedRows(rows)).signatures, PATIENT).toBe(1);
    expect(await verifySignedRows(rows)).toMatchObject({ faults: [], unsigned: [] });
  });

  browserTest("[GW-10, UI-07] are listed in the settings, revoked there, and add others", async () => {
    const { world } = await planWorld([submits("Paint the shed")], PRESENCE);
    const opened = await openPage({ theme: "dark" });
    const { page, context } = opened;
    await authenticatorIn(context, page);
    await addPasskey(world, page);
    await logInAt(world, page, "/settings");
    await page.getByText("Laptop · local").waitFor();
    await page.getByRole("button", { name: "Make a link to add a passkey" }).click();
    const link = page.getByLabel("Link for the other device");
    await expect.poll(() => link.inputValue(), PATIENT).toMatch(/#passkey=/); // signed with the passkey that is there
    await page.getByText("last used now").scrollIntoViewIfNeeded();
    await opened.shot("passkeys-settings-wide-dark");
    await opened.expectAccessible();
    await page.setViewportSize(PHONE);
    await opened.expectNoSidewaysScrolling();
    await page.getByText("last used now").scrollIntoViewIfNeeded();
    await opened.shot("passkeys-settings-phone-dark");
    await page.getByRole("button", { name: "Revoke: Laptop · local" }).click();
    await page.locator("hp-dialog[open]").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked.").waitFor();
    expect((await world.person.must("passkeys.list", {})).passkeys).toMatchObject([
      { name: "Laptop", state: "revoked" },
    ]);
  });

  browserTest("[GW-10] that work elsewhere are not asked for: the card says where", async () => {
    const { world, address } = await planWorld([submits("Paint the shed")], PRESENCE);
    const first = await openPage({});
    await authenticatorIn(first.context, first.page);
    await addPasskey(world, first.page);
    const { page } = await world.openPage(); // by address, as without passkeys
    await page.goto(address);
    await acceptIn(page).click();
    await page.getByText(/Your passkey works only on http:\/\/localhost:\d+/).waitFor();
    await cardIn(page)
      .getByRole("button", { name: /Send back|Revise|change/i })
      .first()
      .waitFor();
  });
});
