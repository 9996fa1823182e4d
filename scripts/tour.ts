/**
 * `node scripts/tour.ts [FOLDER]`: walks through the page in every width, theme and some languages, and takes a picture
 * of each state, for looking at. The pictures go to reports/tour, which is not kept.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { connectHoldpoint, type HoldpointClient } from "../src/client/client.ts";
import { startGateway } from "../src/gateway.ts";
import { ApprovalId, type SessionId } from "../src/protocol/ids.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { startChromium } from "../test/kit/chromium-server.ts";
import { tourAnswer } from "./tour/tour-story.ts";

const WAIT_MS_MAX = 60_000;
/** What loads later (colours, diagrams, texts) has come by then. */
const REST_MS = 400;

const WIDTHS = { phone: 320, mobile: 390, tablet: 768, desk: 1440 } as const;
const HEIGHTS: Readonly<Record<number, number>> = { 320: 640, 390: 844, 768: 1024, 1440: 900 };
const THEMES = ["light", "dark"] as const;
/** Besides English, in two widths and one theme: words are what differs. */
const LANGUAGES = ["de", "ja"] as const;

type Look = { width: number; theme: (typeof THEMES)[number]; locale: string };
type Scene = { name: string; path: string; shows: string; whole?: boolean };
type Place = { browser: Browser; url: string; client: HoldpointClient; folder: string };

const looks = (): Look[] => [
  ...Object.values(WIDTHS).flatMap((width) => THEMES.map((theme) => ({ width, theme, locale: "en" }))),
  ...LANGUAGES.flatMap((locale) =>
    [WIDTHS.mobile, WIDTHS.desk].map((width) => ({ width, theme: "light" as const, locale })),
  ),
];

function makeHome(pageHome: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-tour-")));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  mkdirSync(join(home, "cache"), { recursive: true, mode: 0o700 });
  symlinkSync(join(pageHome, "cache", "page"), join(home, "cache", "page"));
  mkdirSync(join(workspace, "config"), { recursive: true });
  writeFileSync(join(workspace, "config", "schedule.yaml"), 'export:\n  at: "23:00"\nbackup:\n  at: "23:00"\n');
  writeFileSync(join(workspace, "check.sh"), "grep -n 02:30 config/schedule.yaml\n");
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

async function ask(client: HoldpointClient, title: string, job: string): Promise<SessionId> {
  const { session } = await client.call("sessions.create", { title });
  await client.call("chat.send", { sessionId: session.id, text: `Please go on. [${job}]` });
  await waitFor(title, async () => {
    const { sessions } = await client.call("sessions.list", { waiting: true });
    return sessions.some(({ id }) => id === session.id);
  });
  return session.id;
}

const phaseOf = async (client: HoldpointClient, sessionId: SessionId): Promise<string> => {
  const { session } = await client.call("sessions.get", { sessionId });
  return `${session.mode} ${session.turn.status}`;
};

/** Accepts the plan; `confirms`: gives a person's word for the second step when the agent asks for it. */
async function carryOut(client: HoldpointClient, sessionId: SessionId, confirms: boolean): Promise<void> {
  const { session } = await client.call("sessions.get", { sessionId });
  const approvalId = ApprovalId.parse(session.waiting?.id);
  await client.call("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
  if (!confirms) return waitFor("the first step", async () => (await progress(client, sessionId)) === 1);
  await waitFor("the first step", async () => (await phaseOf(client, sessionId)) === "executing idle");
  await client.call("sessions.patch", { sessionId, planApproval: { action: "confirm", approvalId, step: 2 } });
  await client.call("chat.send", { sessionId, text: "I have confirmed it." });
  await waitFor("the end", async () => (await phaseOf(client, sessionId)) === "normal idle");
}

async function progress(client: HoldpointClient, sessionId: SessionId): Promise<number> {
  const { session } = await client.call("sessions.get", { sessionId });
  const card = session.cards?.find(({ kind }) => kind === "approval");
  return card?.kind === "approval" ? card.steps.filter(({ status }) => status === "completed").length : 0;
}

const at = (id: SessionId, view = ""): string => `/sessions/${id}${view}`;

async function scenesOf(client: HoldpointClient): Promise<Scene[]> {
  const payments = await ask(client, "PAY-2231: split the ledger", "payments");
  const refactor = await ask(client, "Monorepo", "refactor");
  await ask(client, "Invoice footer", "invoices");
  const running = await ask(client, "Nightly export, in work", "running");
  const finished = await ask(client, "Nightly export, done", "finished");
  await carryOut(client, finished, true); // first, for both change the same files
  await carryOut(client, running, false);
  const { plans } = await client.call("plans.list", { sessionId: finished });
  const planId = plans[0]?.planId;
  if (planId === undefined) throw new Error("there is no plan to share");
  const { path } = await client.call("plans.share", { planId });
  return [
    { name: "home", path: "/", shows: "hp-home-view, hp-sidebar a" },
    { name: "inbox", path: "/inbox", shows: "hp-inbox-view a" },
    { name: "card", path: at(payments), shows: "hp-approval-card .sign:enabled" },
    { name: "review", path: at(payments, "/plan"), shows: "hp-decision-bar .sign:enabled" },
    { name: "long-review", path: at(refactor, "/plan#step-40"), shows: "hp-decision-bar .sign:enabled" },
    { name: "editor", path: at(payments, "/plan?edit=steps"), shows: "hp-step-editor textarea" },
    { name: "progress", path: at(running, "/run"), shows: "hp-run-panel li.step" },
    { name: "changes", path: at(finished, "/changes"), shows: "hp-changes-view summary" },
    { name: "done", path: at(finished, "/plan#step-1"), shows: "hp-plan-document .evidence" },
    { name: "done-run", path: at(finished, "/run"), shows: "hp-run-panel li.step" },
    { name: "conversation", path: at(finished), shows: "hp-chat-view" },
    { name: "timeline", path: at(finished, "/timeline"), shows: "hp-timeline-view li" },
    { name: "share", path, shows: "main h1", whole: true },
    { name: "settings", path: "/settings", shows: "hp-settings-view h2" },
  ];
}

async function open({ browser, url, client }: Place, { width, theme, locale }: Look): Promise<Page> {
  const viewport = { width, height: HEIGHTS[width] ?? 800 };
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    locale,
    timezoneId: "UTC",
    reducedMotion: "reduce",
    hasTouch: width < WIDTHS.tablet,
  });
  const page = await context.newPage();
  const { fragment } = await client.call("tokens.link", {});
  await page.goto(`${url}/${fragment}`);
  await page.getByRole("button", { name: /./ }).first().waitFor();
  return page;
}

async function walk(place: Place, look: Look, scenes: readonly Scene[]): Promise<number> {
  const page = await open(place, look);
  for (const { name, path, shows, whole = false } of scenes) {
    await page.goto(`${place.url}${path}`);
    await page.locator(shows).first().waitFor({ timeout: WAIT_MS_MAX });
    await page.waitForTimeout(REST_MS);
    const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    if (Number(wide) > 0) process.stdout.write(`${name} at ${look.width} is ${String(wide)} px too wide\n`);
    const file = `${name}-${look.width}-${look.theme}-${look.locale}.png`;
    await page.screenshot({ path: join(place.folder, file), fullPage: whole });
  }
  await page.context().close();
  return scenes.length;
}

async function makeTour(folder: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const server = stack.adopt(await startChromium(), ({ stop }) => stop());
  const made = stack.adopt(makeHome(server.pageHome), ({ root }) => rmSync(root, { recursive: true }));
  const { home, workspace } = made;
  const model = scriptedModel(tourAnswer);
  const gateway = await startGateway({ home, workspace, port: 0, env: {}, log: "silent", model });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs there already");
  stack.defer(() => gateway.stop());
  const { url, operatorToken: token } = gateway;
  const client = stack.adopt(connectHoldpoint({ url, token, clientName: "tour" }), (one) => one.close());
  const browser = stack.adopt(await chromium.connect(server.endpoint), (one) => one.close());
  const scenes = await scenesOf(client);
  let taken = 0;
  for (const look of looks()) {
    taken += await walk({ browser, url, client, folder }, look, scenes);
    process.stdout.write(`${look.width} ${look.theme} ${look.locale}: ${taken} pictures so far\n`);
  }
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(import.meta.dirname, "..", "reports", "tour");
  mkdirSync(folder, { recursive: true });
  await makeTour(folder);
}
