/** The first start of a clone: when the gateway answers, when it shows its link, and how long whoever opens that waits. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Browser, Page } from "playwright-core";
import { figure, type Group, median } from "./figure.ts";

const ROUNDS = 3;
const MAIN = resolve(import.meta.dirname, "..", "bin", "holdpoint.js");

type Measured = { servesMs: number; linkMs: number; usableMs: number };

/** A clone has built nothing yet; what it builds is kept in the home, so a new home is all that makes a start the first. */
export async function freshClones(
  report: Parameters<Group>[0],
  { browser, usable }: { browser: Browser; usable(page: Page, address: string): Promise<void> },
): Promise<void> {
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await firstStart(browser, usable));
  const middle = (name: keyof Measured): number => median(rounds.map((one) => one[name]));
  report(figure("first start of a clone → serves", middle("servesMs"), "ms"));
  report(figure("first start of a clone → link", middle("linkMs"), "ms"));
  report(figure("page: link → usable, fresh clone", middle("usableMs"), "ms"));
}

async function firstStart(browser: Browser, usable: (page: Page, address: string) => Promise<void>): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-first-"));
  const startedAtMs = performance.now();
  const since = (): number => performance.now() - startedAtMs;
  const child = spawn(process.execPath, [MAIN, "start", "--link", "--port", "0", "--workspace", folder], {
    env: { ...process.env, HOLDPOINT_HOME: join(folder, "home") },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  try {
    let servesMs = 0;
    for await (const line of createInterface(child.stdout)) {
      if (line.includes("serves at")) servesMs = since();
      const link = /http\S+#login=\S+/.exec(line)?.[0];
      if (link === undefined) continue;
      const linkMs = since();
      const context = await browser.newContext();
      const page = await context.newPage();
      const openedAtMs = performance.now();
      await usable(page, link);
      const usableMs = performance.now() - openedAtMs;
      await context.close();
      return { servesMs, linkMs, usableMs };
    }
    throw new Error("the gateway ended without a link");
  } finally {
    child.kill("SIGTERM");
    await exited;
    await rm(folder, { recursive: true, force: true });
  }
}
