/** The gateway as a process of its own, killed without a word while a person is in the middle of something. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import type { SessionId } from "../../src/protocol/ids.ts";
import { gatewayChild, type GatewayChild } from "../kit/gateway-child.ts";
import { present } from "../kit/served-gateway.ts";
import { wireClient } from "../kit/wire-client.ts";
import { acceptIn, cardIn, composerIn } from "./cards-kit.ts";
import { chromiumHere } from "./chromium.ts";
import { browserTest, openPage } from "./page-world.ts";

type Killable = {
  page: Page;
  sessionId: SessionId;
  kill(): Promise<void>;
  /** On the same port, with the same state. */
  restart(): Promise<void>;
  approvals(): Promise<number>;
};

/** A page of a session whose plan waits, served by a process that can be killed. */
async function killable(): Promise<Killable> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-killed-")));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  mkdirSync(join(home, "cache"), { recursive: true, mode: 0o700 });
  mkdirSync(workspace);
  symlinkSync(join(present(await chromiumHere()).pageHome, "cache", "page"), join(home, "cache", "page"));
  const agents = { defaults: { planMode: { enabled: true, defaultActive: true } } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ agents }), { mode: 0o600 });
  let child: GatewayChild = await gatewayChild({ home, workspace });
  onTestFinished(async () => {
    await child.kill();
    rmSync(root, { recursive: true, force: true });
  });
  const person = await wireClient(child);
  const { session } = await person.must("sessions.create", { title: "The shed" });
  await person.must("chat.send", { sessionId: session.id, text: "Append the lines." });
  const { page } = await openPage({});
  const { fragment } = await person.must("tokens.link", {});
  person.close();
  await page.goto(`${child.url}/${fragment}`);
  await page.getByRole("button", { name: "New session" }).waitFor();
  await page.goto(`${child.url}/sessions/${session.id}`);
  await acceptIn(page).waitFor();
  return {
    page,
    sessionId: session.id,
    kill: () => child.kill(),
    async restart() {
      child = await gatewayChild({ home, workspace, port: Number(new URL(child.url).port) });
    },
    async approvals() {
      const again = await wireClient(child);
      const { rows } = await again.must("audit.list", { limit: 200 });
      again.close();
      return rows.filter(({ body }) => body.includes('"plan.decided"')).length;
    },
  };
}

describe("a gateway that is killed", () => {
  browserTest(
    "[UI-04] while a card is open and words for it are typed: the same card, the same words, one decision",
    async () => {
      const { page, kill, restart, approvals } = await killable();
      const card = cardIn(page);
      const title = await card.getByRole("heading").first().innerText();
      await card.getByRole("button", { name: "Revise" }).click();
      const words = card.getByRole("textbox", { name: "What should change?" });
      await words.fill("Three lines,");
      await kill();
      await card.getByText("the approval stays pending", { exact: false }).waitFor();
      expect(await card.getByRole("button", { name: "Accept", exact: true }).count()).toBe(0); // none beside the text
      await words.fill("Three lines, please.");
      await page.keyboard.press("Control+Enter"); // nobody is there to hear it
      await restart();
      await card.getByRole("button", { name: "Send back", disabled: false }).waitFor();
      expect([await card.getByRole("heading").first().innerText(), await words.inputValue()]).toEqual([
        title,
        "Three lines, please.",
      ]);
      expect(await approvals()).toBe(0); // what was pressed while it was away did not wait to be sent
      await words.press("Control+Enter");
      await card
        .getByText(/Revision 2/)
        .first()
        .waitFor();
      expect(await approvals()).toBe(1);
    },
  );

  browserTest(
    "[UI-04] while a message is typed: the draft stays, through a reload as well, and is sent once",
    async () => {
      const { page, kill, restart, sessionId } = await killable();
      await acceptIn(page).click();
      await page
        .getByText(/of 2 done/)
        .first()
        .waitFor();
      await composerIn(page).waitFor();
      await composerIn(page).fill("half a thought");
      await kill();
      await page.getByText("The gateway is out of reach. Trying again").waitFor();
      await composerIn(page).press("Enter");
      await composerIn(page).fill("half a thought, and the other half");
      await restart();
      await page.getByText("Connected again.").waitFor();
      expect(await composerIn(page).inputValue()).toBe("half a thought, and the other half");
      await page.reload();
      await composerIn(page).waitFor();
      expect(await composerIn(page).inputValue()).toBe("half a thought, and the other half");
      await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
      await composerIn(page).press("Enter");
      const sent = page.getByRole("log").getByText("half a thought", { exact: false });
      await sent.first().waitFor();
      await acceptIn(page).click(); // the next plan stands where the composer was
      await composerIn(page).waitFor();
      expect([await sent.count(), await composerIn(page).inputValue()]).toEqual([1, ""]);
      expect(page.url()).toContain(sessionId);
    },
  );
});
