/**
 * `node scripts/screens.ts`: makes the pictures in docs/screens from the running product: a gateway, its page in Chromium
 * from npm, and an agent that follows a script. Run it when the page looks different.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { connectHoldpoint, type HoldpointClient } from "../src/client/client.ts";
import { startGateway } from "../src/gateway.ts";
import type { SessionId } from "../src/protocol/ids.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { startChromium } from "../test/kit/chromium-server.ts";
import { storyAnswer } from "./screens/story.ts";

const PICTURE_BYTES_MAX = 120 * 1024;
const ALL_BYTES_MAX = 600 * 1024;
const WAIT_MS_MAX = 30_000;
/** Longer than the buttons of a card rest. */
const REST_MS = 1_000;
const QUALITY = 0.9;

const DESK = { viewport: { width: 1180, height: 740 }, deviceScaleFactor: 1 };
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5 };

type Home = { root: string; home: string; workspace: string };

function makeHome(pageHome: string): Home {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-screens-")));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  mkdirSync(join(home, "cache"), { recursive: true, mode: 0o700 });
  symlinkSync(join(pageHome, "cache", "page"), join(home, "cache", "page"));
  mkdirSync(join(workspace, "config"), { recursive: true });
  writeFileSync(join(workspace, "config", "schedule.yaml"), 'export:\n  at: "23:00"\nbackup:\n  at: "23:00"\n');
  const agents = { defaults: { model: "demo", planMode: { enabled: true, defaultActive: true } } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ agents }), { mode: 0o600 });
  return { root, home, workspace };
}

async function waitFor(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + WAIT_MS_MAX;
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`waited too long for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function ask(client: HoldpointClient, title: string, text: string): Promise<SessionId> {
  const { session } = await client.call("sessions.create", { title });
  await client.call("chat.send", { sessionId: session.id, text });
  await waitFor(title, async () => {
    const { sessions } = await client.call("sessions.list", { waiting: true });
    return sessions.some(({ id }) => id === session.id);
  });
  return session.id;
}

/** A person writes a note on the second step and sends the plan back; the agent submits another revision. */
async function sendBack(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("button", { name: "Write a note: Step 2" }).click();
  await page.getByRole("textbox", { name: "Note" }).fill("The backup may still run at 02:30. Does the export wait?");
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByRole("button", { name: "Revise", exact: true }).click();
  await page.getByRole("button", { name: "Send back to the agent" }).click();
  await page.getByRole("tab", { name: "What changed" }).waitFor();
  await page.getByRole("button", { name: "Accept", exact: true, disabled: false }).waitFor();
}

type Screen = { name: string; path: string; look: typeof DESK; shows: string };

const screensOf = (id: SessionId): Screen[] => [
  { name: "review", path: `/sessions/${id}/plan`, look: DESK, shows: "hp-decision-bar .sign:enabled" },
  { name: "card", path: `/sessions/${id}`, look: DESK, shows: "hp-approval-card .sign:enabled" },
  { name: "inbox", path: "/inbox", look: DESK, shows: "hp-inbox-view a" },
  { name: "phone", path: `/sessions/${id}`, look: PHONE, shows: "hp-approval-card .sign:enabled" },
];

type Taking = { browser: Browser; url: string; folder: string; client: HoldpointClient };

async function take({ browser, url, folder, client }: Taking, screens: readonly Screen[]): Promise<number> {
  let all = 0;
  for (const theme of ["light", "dark"] as const) {
    for (const { name, path, look, shows } of screens) {
      const page = await openPage({ browser, url, client }, { ...look, colorScheme: theme });
      await page.goto(`${url}${path}`);
      await page.locator(shows).first().waitFor();
      await page.waitForTimeout(REST_MS);
      const picture = await packed(browser, await page.screenshot());
      await page.context().close();
      const file = `${name}-${theme}.webp`;
      if (picture.length > PICTURE_BYTES_MAX) throw new Error(`${file} has ${picture.length} bytes, which is too much`);
      writeFileSync(join(folder, file), picture);
      process.stdout.write(`${file} ${picture.length} bytes\n`);
      all += picture.length;
    }
  }
  return all;
}

/** Runs in a page, whose types are not known here. */
const PACKING = `async (source, quality) => {
  const image = await createImageBitmap(await (await fetch(source)).blob());
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality);
}`;

/** The browser compresses pictures better than it does its screenshots. */
async function packed(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const source = `data:image/png;base64,${png.toString("base64")}`;
  const address = String(await page.evaluate(`(${PACKING})(${JSON.stringify(source)}, ${QUALITY})`));
  await page.close();
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}

async function openPage(
  { browser, url, client }: Omit<Taking, "folder">,
  look: Parameters<Browser["newContext"]>[0],
): Promise<Page> {
  const context = await browser.newContext({ locale: "en", timezoneId: "UTC", reducedMotion: "reduce", ...look });
  const page = await context.newPage();
  const { fragment } = await client.call("tokens.link", {});
  await page.goto(`${url}/${fragment}`);
  await page.getByRole("button", { name: "New session" }).first().waitFor();
  return page;
}

async function makeScreens(folder: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const server = stack.adopt(await startChromium(), ({ stop }) => stop());
  const { root, home, workspace } = stack.adopt(makeHome(server.pageHome), ({ root: made }) =>
    rmSync(made, { recursive: true }),
  );
  const gateway = await startGateway({
    home,
    workspace,
    port: 0,
    env: {},
    log: "silent",
    model: scriptedModel(storyAnswer),
  });
  if ("alreadyRunning" in gateway) throw new Error(`a gateway runs in ${root} already`);
  stack.defer(() => gateway.stop());
  const { url, operatorToken: token } = gateway;
  const client = stack.adopt(connectHoldpoint({ url, token, clientName: "screens" }), (one) => one.close());
  const browser = stack.adopt(await chromium.connect(server.endpoint), (one) => one.close());
  await ask(client, "Tidy dependencies", "Which packages does nobody use? Check their licences, too.");
  await ask(client, "Invoice footer", "Put the new footer on the invoices.");
  const id = await ask(client, "Nightly export", "The nightly export collides with the backup. Move it, please.");
  const person = await openPage({ browser, url, client }, DESK);
  await sendBack(person, `${url}/sessions/${id}/plan`);
  await person.context().close();
  const bytes = await take({ browser, url, folder, client }, screensOf(id));
  if (bytes > ALL_BYTES_MAX) throw new Error(`all pictures have ${bytes} bytes; at most ${ALL_BYTES_MAX} may be`);
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(import.meta.dirname, "..", "docs", "screens");
  mkdirSync(folder, { recursive: true });
  await makeScreens(folder);
}
