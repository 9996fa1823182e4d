/** The pictures in docs/screens: few, small, in both themes, of one plan that was sent back once. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { Stage } from "./tour-stage.ts";

const PICTURE_BYTES_MAX = 120 * 1024;
const ALL_BYTES_MAX = 600 * 1024;
/** Longer than the buttons of a card rest. */
const REST_MS = 1_000;
const QUALITY = 0.9;

const DESK = { viewport: { width: 1180, height: 740 }, deviceScaleFactor: 1 };
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5 };

type Picture = { name: string; path: string; look: typeof DESK; shows: string };

const picturesOf = (id: SessionId): Picture[] => [
  { name: "review", path: `/sessions/${id}/plan`, look: DESK, shows: "hp-decision-bar .sign:enabled" },
  { name: "card", path: `/sessions/${id}`, look: DESK, shows: "hp-approval-card .sign:enabled" },
  { name: "inbox", path: "/inbox", look: DESK, shows: "hp-inbox-view a" },
  { name: "phone", path: `/sessions/${id}`, look: PHONE, shows: "hp-approval-card .sign:enabled" },
];

export async function readmePictures(stage: Stage, folder: string): Promise<void> {
  await stage.ask("Tidy dependencies", "Which packages does nobody use? Check their licences, too.");
  await stage.ask("Invoice footer", "Put the new footer on the invoices.");
  const id = await stage.ask("Nightly export", "The nightly export collides with the backup. Move it, please.");
  const person = await stage.open(DESK);
  await sendBack(person, `${stage.url}/sessions/${id}/plan`);
  await person.context().close();
  const bytes = await take(stage, folder, picturesOf(id));
  if (bytes > ALL_BYTES_MAX) throw new Error(`all pictures have ${bytes} bytes; at most ${ALL_BYTES_MAX} may be`);
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

async function take({ browser, url, open }: Stage, folder: string, pictures: readonly Picture[]): Promise<number> {
  let all = 0;
  for (const theme of ["light", "dark"] as const) {
    for (const { name, path, look, shows } of pictures) {
      const page = await open({ ...look, colorScheme: theme });
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
