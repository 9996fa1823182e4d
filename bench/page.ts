/** The control page in a real browser: what it loads, when it can be used, and how it takes a long conversation. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { startChromium } from "../test/kit/chromium-server.ts";
import type { GatewayChild } from "../test/kit/gateway-child.ts";
import { flood, keepSocket, scrollUp } from "../test/kit/page-flood.ts";
import { type WireClient, wireClient } from "../test/kit/wire-client.ts";
import { freshClones } from "./fresh-clone.ts";
import { against, figure, type Group, median, percentile } from "./figure.ts";
import { withGateway } from "./gateway.ts";
import { longPlanEdits } from "./long-plan-edit.ts";
import { longPlans } from "./long-plan.ts";

const ROUNDS = 7;
const APPENDED = 2_000;
const HISTORY = 10_000;
const SCROLLS = 60;
const KIB = 1_024;

type Place = { browser: Browser; gateway: GatewayChild; person: WireClient };

export const page: Group = async (report) => {
  const server = await startChromium();
  const browser = await chromium.connect(server.endpoint);
  const usePage = async (home: string): Promise<void> => {
    mkdirSync(join(home, "cache"), { recursive: true, mode: 0o700 });
    symlinkSync(join(server.pageHome, "cache", "page"), join(home, "cache", "page"));
  };
  try {
    await withGateway(async ({ gateway }) => {
      const person = await wireClient(gateway);
      const place = { browser, gateway, person };
      await loads(report, place);
      await messages(report, place);
      person.close();
    }, usePage);
    await longPlans(report, { browser, usePage });
    await longPlanEdits(report, { browser, usePage });
    await freshClones(report, { browser, usable });
  } finally {
    await browser.close();
    await server.stop();
  }
};

type Report = Parameters<Group>[0];

async function loads(report: Report, { browser, gateway, person }: Place): Promise<void> {
  const [bare, first, later, bytes]: number[][] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext();
    const opened = await context.newPage();
    bare?.push(await timed(() => opened.goto(`${gateway.url}/healthz`)));
    const { fragment } = await person.must("tokens.link", {});
    first?.push(await timed(() => usable(opened, `${gateway.url}/${fragment}`)));
    bytes?.push(await bytesLoaded(opened));
    later?.push(await timed(() => usable(opened, `${gateway.url}/inbox`)));
    await context.close();
  }
  const bareMs = median(bare ?? []);
  report(figure("page: first load, compressed", median(bytes ?? []) / KIB, "KiB"));
  report(against(bareMs, figure("page: link → usable, first visit, median", median(first ?? []), "ms")));
  report(against(bareMs, figure("page: address → usable, later visit, median", median(later ?? []), "ms")));
}

/** Usable: connected, its sessions listed, and a new one can be started. */
async function usable(opened: Page, address: string): Promise<void> {
  await opened.goto(address, { waitUntil: "commit" });
  await opened.getByText("No sessions yet").waitFor();
  await opened.locator("hp-sidebar button.primary:enabled").waitFor();
}

const bytesLoaded = (opened: Page): Promise<number> =>
  opened.evaluate<number>(
    `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter(({ initiatorType }) => initiatorType !== "fetch")
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );

async function messages(report: Report, { browser, gateway, person }: Place): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const opened = await context.newPage();
  await keepSocket(opened);
  const bareMs = await bareAppend(opened, gateway.url);
  const { fragment } = await person.must("tokens.link", {});
  await opened.goto(`${gateway.url}/${fragment}`);
  await opened.getByText("No sessions yet").waitFor();
  const { session } = await person.must("sessions.create", { title: "Long" });
  await opened.goto(`${gateway.url}/sessions/${session.id}`);
  await opened.locator("hp-composer").waitFor();
  const tookMs = await flood(opened, { sessionId: session.id, count: APPENDED });
  report(against(bareMs, figure(`page: ${APPENDED} messages appended`, tookMs, "ms")));
  await flood(opened, { sessionId: session.id, count: HISTORY - APPENDED, from: APPENDED + 1 });
  const { framesMs, rowsMax } = await scrollUp(opened, SCROLLS);
  report(figure(`page: ${HISTORY} messages, rows that exist at most`, rowsMax, "rows"));
  report(figure(`page: ${HISTORY} messages, one page up, p50`, percentile(framesMs, 50), "ms"));
  report(figure(`page: ${HISTORY} messages, one page up, p95`, percentile(framesMs, 95), "ms"));
  await context.close();
}

/** The same words in the same browser, all of them in the document and nothing around them. */
async function bareAppend(opened: Page, url: string): Promise<number> {
  await opened.goto(`${url}/healthz`);
  return opened.evaluate<number>(`(async () => {
    const startedAt = performance.now();
    for (let n = 1; n <= ${APPENDED}; n += 1) {
      const row = document.createElement("article");
      const name = document.createElement("h2");
      const text = document.createElement("p");
      name.textContent = "Alice";
      text.textContent = "message number " + n;
      row.append(name, text);
      document.body.append(row);
    }
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - startedAt;
  })()`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
