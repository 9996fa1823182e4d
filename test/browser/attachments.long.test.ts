/** Files that go along with a message: attached by button, paste and drop, made small enough, sent, and shown again. */
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { browserTest, openWorld, PHONE, PATIENT } from "./page-world.ts";

/** A picture of random dots, which no format makes small by itself. */
function noisyPng(side: number): Buffer {
  const rows = Buffer.alloc(side * (side * 3 + 1));
  let seed = 7;
  for (let at = 0; at < rows.length; at += 1) {
    seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + at;
    rows[at] = at % (side * 3 + 1) === 0 ? 0 : (seed >>> 16) & 255;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  const named = Buffer.concat([Buffer.from(type), body]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, check]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });

/** As a person's paste or drop would bring them. */
async function give(page: Page, how: "paste" | "drop", name: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).evaluate(
    (field, { type, fileName }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["some words\n"], fileName, { type: "text/plain" }));
      const options = { bubbles: true, composed: true, cancelable: true };
      const event =
        type === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: transfer })
          : new DragEvent("drop", { ...options, dataTransfer: transfer });
      field.dispatchEvent(event);
    },
    { type: how, fileName: name },
  );
}

describe("files with a message", () => {
  browserTest("[UI-01] are attached, made small enough, kept over a reload, sent, and shown in the log", async () => {
    const world = await openWorld();
    const { session } = await world.person.must("sessions.create", { title: "Shed" });
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: PHONE });
    await page.goto(`${world.url}/sessions/${session.id}`);
    await page.getByRole("button", { name: "Attach files" }).waitFor();
    const large = noisyPng(700);
    expect(large.length).toBeGreaterThan(1_000_000);
    await page.locator("input[type=file]").setInputFiles([file("shed \u202E.png", "image/png", large)]);
    await page.getByRole("img", { name: "Image shed ‹U+202E›.png" }).waitFor();
    await give(page, "paste", "notes.txt");
    await give(page, "drop", "list.txt");
    const listed = page.getByRole("list", { name: "Attached files" }).getByRole("listitem");
    await expect.poll(() => listed.count(), PATIENT).toBe(3);
    await page
      .locator("input[type=file]")
      .setInputFiles([file("app.bin", "application/octet-stream", Buffer.from([0, 1, 255]))]);
    await page.getByText("“app.bin” is neither an image nor a text file.").waitFor();
    await page.getByRole("button", { name: "Remove list.txt" }).click();
    await expect.poll(() => listed.count(), PATIENT).toBe(2);
    await shot("attach-phone");
    await expectNoSidewaysScrolling();
    await expectAccessible();
    await page.reload();
    await expect.poll(() => listed.count(), PATIENT).toBe(2);
    await page.getByRole("textbox", { name: "Message" }).fill("This is the shed.");
    await page.keyboard.press("Enter");
    const sent = page.getByRole("log").getByRole("img", { name: "Image shed ‹U+202E›.png" });
    await sent.waitFor();
    await expect
      .poll(() => sent.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth), PATIENT)
      .toBeGreaterThan(0);
    await page
      .getByRole("log")
      .getByText(/Attached file "notes.txt"/)
      .waitFor();
    expect(await listed.count()).toBe(0);
    const [request] = world.model.requests;
    expect(JSON.stringify(request)).toContain("notes.txt");
    await shot("attached-phone");
    await expectAccessible();
    await page.getByRole("button", { name: /^Show shed/ }).click();
    await page.locator("hp-dialog[open]").getByRole("img").waitFor();
    await page.keyboard.press("Escape");
    await page.reload();
    await sent.waitFor(); // from the gateway
  });

  browserTest("[UI-01] are at most four, and stay where they are while the gateway is away", async () => {
    const world = await openWorld();
    const { session } = await world.person.must("sessions.create", { title: "Shed" });
    const { page } = await world.openPage();
    await page.goto(`${world.url}/sessions/${session.id}`);
    await page.getByRole("button", { name: "Attach files" }).waitFor();
    const five = [1, 2, 3, 4, 5].map((n) => file(`${n}.txt`, "text/plain", Buffer.from(`text ${n}`)));
    await page.locator("input[type=file]").setInputFiles(five);
    await page.getByText("At most 4 files go with one message.").waitFor();
    const listed = page.getByRole("list", { name: "Attached files" }).getByRole("listitem");
    expect(await listed.count()).toBe(4);
    await world.stop();
    await page.getByText("The gateway is out of reach. Trying again").waitFor();
    await page.getByRole("textbox", { name: "Message" }).press("Enter");
    expect(await listed.count()).toBe(4);
    await world.start();
    await page.getByText("Connected again.").waitFor();
    await page.getByRole("button", { name: "Send" }).click(); // without a word
    await page
      .getByRole("log")
      .getByText(/Attached file "4.txt"/)
      .waitFor();
    await page.getByRole("heading", { level: 1, name: "Shed" }).waitFor();
    await expect.poll(() => listed.count(), PATIENT).toBe(0);
  });
});
