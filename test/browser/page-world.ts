/**
 * A real gateway in this process with a model that does what the test says, a person on the wire, and a page of it in
 * Chromium, logged in by a link as a person would. What goes wrong in the page fails the test that opened it.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "../../src/engine/clock.ts";
import { type GatewayOptions, startGateway } from "../../src/gateway.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { scriptedModel, type ScriptedModel } from "../kit/scripted-model.ts";
import { present } from "../kit/served-gateway.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";
import { chromiumHere } from "./chromium.ts";

const chromium = await chromiumHere();

/** `browserTest("[UI-01] …", async () => { const { page } = await openWorld(); … })` */
// oxlint-disable-next-line vitest/no-disabled-tests, vitest/valid-title, vitest/expect-expect -- no test yet: what makes them
export const browserTest = test.skipIf(chromium === undefined);

export const PHONE = { width: 320, height: 640 };
export const DESK = { width: 1280, height: 800 };

export type WorldOptions = {
  /** What the agent does, request by request; without it, it says the same little sentence for ever. */
  script?: Parameters<typeof scriptedModel>[0];
  planMode?: JsonObject;
  /** Besides those of the house. */
  plugins?: GatewayOptions["plugins"];
  /** What lies in the workspace. */
  files?: Readonly<Record<string, string>>;
  /** The gateway's; the page has the browser's. */
  clock?: Clock;
};

export type PageOptions = {
  size?: { width: number; height: number };
  theme?: "light" | "dark";
  locale?: string;
  /** A finger instead of a mouse. */
  touch?: boolean;
  /** Without its service worker, whose answers no test can hold up. */
  hasWorker?: boolean;
};

export type OpenedPage = {
  page: Page;
  context: BrowserContext;
  /** Fails on any violation of the accessibility rules, in both themes. */
  expectAccessible(): Promise<void>;
  /** For looking at: written to HOLDPOINT_SHOTS, and nowhere where that is not set. */
  shot(name: string): Promise<void>;
  /** No part of the page is wider than the window. */
  expectNoSidewaysScrolling(): Promise<void>;
};

export type World = {
  url: string;
  model: ScriptedModel;
  workspace: string;
  /** The gateway's own folder. */
  home: string;
  /** The same operator by a program: another surface. */
  person: WireClient;
  /** A browser that nobody logged in. */
  openStranger(options?: PageOptions): Promise<OpenedPage>;
  /** Another browser of the same person. */
  openPage(options?: PageOptions): Promise<OpenedPage>;
  /** The gateway goes, and comes back on the same port with the same store. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

export async function openWorld({
  script,
  planMode = {},
  plugins = [],
  files = {},
  clock = systemClock,
}: WorldOptions = {}): Promise<World> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-page-")));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  mkdirSync(join(home, "cache"));
  symlinkSync(join(present(chromium).pageHome, "cache", "page"), join(home, "cache", "page"));
  const agents = { defaults: { model: "demo", planMode: { enabled: true, ...planMode } } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ agents }), { mode: 0o600 });
  const model = scriptedModel(script ?? (() => ({ say: ["All ", "right."] })));
  const begin = async (port: number) => {
    const gateway = await startGateway({ home, workspace, port, env: {}, log: "silent", model, plugins, clock });
    if ("alreadyRunning" in gateway) throw new Error("already running");
    return gateway;
  };
  let running: Awaited<ReturnType<typeof begin>> | undefined = await begin(0);
  const { url, port, operatorToken } = running;
  const person = await wireClient({ url, token: operatorToken });
  onTestFinished(async () => {
    person.close();
    await running?.stop();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    url,
    model,
    workspace,
    home,
    person,
    async openStranger(options = {}) {
      const opened = await openPage(options);
      await opened.page.goto(url);
      return opened;
    },
    async openPage(options = {}) {
      const opened = await openPage(options);
      const { fragment } = await person.must("tokens.link", {});
      await opened.page.goto(`${url}/${fragment}`);
      await opened.page.getByRole("button", { name: /./ }).first().waitFor();
      return opened;
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    async start() {
      running = await begin(port);
    },
  };
}

/** Generous, for what is there ends the wait at once; shorter than a test may take, so that what was not found is named. */
const LOOK_MS_MAX = 60_000;
/** For `expect.poll`. */
export const PATIENT = { timeout: LOOK_MS_MAX };
/** For one in which many pages are opened, one after the other. */
export const LONG_MS_MAX = 600_000;

/**
 * Messages of the browser itself about a gateway that is away; our own code says nothing on the console. The last one is
 * about the worker's script, which the browser asks for anew some time after a page was opened: where the gateway goes
 * away in that moment, it says so. A script that comes and is wrong makes it say something else.
 */
const ABOUT_THE_NETWORK =
  /WebSocket connection to|net::ERR_|Failed to load resource|blocked by Playwright|^An unknown error occurred when fetching the script\.$/;

/** A page of any address: logged in by nobody. */
export async function openPage(options: PageOptions): Promise<OpenedPage> {
  const { size = DESK, theme = "light", locale = "en", touch = false, hasWorker = true } = options;
  const context = await present(chromium).browser.newContext({
    viewport: size,
    colorScheme: theme,
    locale,
    reducedMotion: "reduce",
    hasTouch: touch,
    isMobile: touch,
    bypassCSP: false,
    serviceWorkers: hasWorker ? "allow" : "block",
  });
  context.setDefaultTimeout(LOOK_MS_MAX);
  const problems: string[] = [];
  // of every tab: what nobody caught, a rejected promise too
  context.on("weberror", (found) => void problems.push(found.error().stack || String(found.error())));
  const page = await context.newPage();
  page.on("console", (message) => {
    const isProblem = message.type() === "error" || message.type() === "warning";
    if (isProblem && !ABOUT_THE_NETWORK.test(message.text())) problems.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  return {
    page,
    context,
    expectAccessible: () => expectAccessible(page, theme),
    async shot(name) {
      const folder = process.env["HOLDPOINT_SHOTS"];
      if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
    },
    async expectNoSidewaysScrolling() {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
    },
  };
}

/** Of the other theme only what colours can break: all else is the same in both. */
async function expectAccessible(page: Page, theme: "light" | "dark"): Promise<void> {
  const other = theme === "light" ? "dark" : "light";
  for (const [colorScheme, only] of [
    [other, { runOnly: ["color-contrast"] }],
    [theme, {}],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await violations(page, only);
    expect({ colorScheme, found }).toEqual({ colorScheme, found: [] });
  }
}

/** Evaluated from outside, so that the page's own policy stays in force while it is looked at. */
async function violations(page: Page, only: { runOnly?: readonly string[] }): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source); // half a megabyte: once a page
  const found = await page.evaluate(async (chosen) => {
    const rules = Reflect.get(globalThis, "axe") as typeof axe;
    return (await rules.run(document, { resultTypes: ["violations"], ...chosen })).violations.map(
      ({ id, help, nodes }) => ({
        id,
        help,
        targets: nodes.slice(0, 5).map(({ target, failureSummary }) => `${String(target)}: ${failureSummary ?? ""}`),
      }),
    );
  }, only as axe.RunOptions);
  return found.map(({ id, help, targets }) => `${id}: ${help}\n${targets.join("\n")}`);
}
