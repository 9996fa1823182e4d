/**
 * `node scripts/tour.ts [FOLDER]`: walks through the page in every width, theme and some languages, and takes a picture
 * of each state, for looking at; into reports/tour, which is not kept. `node scripts/tour.ts --readme` makes the pictures
 * in docs/screens instead. Run that when the page looks different.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import type { HoldpointClient } from "../src/client/client.ts";
import { ApprovalId, type SessionId } from "../src/protocol/ids.ts";
import { readmePictures } from "./tour/readme-pictures.ts";
import { storyAnswer } from "./tour/readme-story.ts";
import { languagesWithoutFont, type Stage, waitFor, WAIT_MS_MAX, withStage } from "./tour/tour-stage.ts";
import { tourAnswer } from "./tour/tour-story.ts";

/** What loads later (colours, diagrams, texts) has come by then. */
const REST_MS = 400;

const WIDTHS = { phone: 320, mobile: 390, tablet: 768, desk: 1440 } as const;
const HEIGHTS: Readonly<Record<number, number>> = { 320: 640, 390: 844, 768: 1024, 1440: 900 };
const THEMES = ["light", "dark"] as const;
/** Besides English, in two widths and one theme: words are what differs. */
const LANGUAGES = ["de", "ja", "zh-CN", "ko", "uk"] as const;

type Look = { width: number; theme: (typeof THEMES)[number]; locale: string };
type Tour = { scenes: readonly Scene[]; folder: string };
type Scene = { name: string; path: string; shows: string; whole?: boolean };

const looks = (): Look[] => [
  ...Object.values(WIDTHS).flatMap((width) => THEMES.map((theme) => ({ width, theme, locale: "en" }))),
  ...LANGUAGES.flatMap((locale) =>
    [WIDTHS.mobile, WIDTHS.desk].map((width) => ({ width, theme: "light" as const, locale })),
  ),
];

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

async function scenesOf({ client, ask }: Stage): Promise<Scene[]> {
  const begin = (title: string, job: string): Promise<SessionId> => ask(title, `Please go on. [${job}]`);
  const payments = await begin("PAY-2231: split the ledger", "payments");
  const refactor = await begin("Monorepo", "refactor");
  const ugly = await begin("Everything wide", "ugly");
  const invoices = await begin("Invoice footer", "invoices");
  const running = await begin("Nightly export, in work", "running");
  const finished = await begin("Nightly export, done", "finished");
  await carryOut(client, finished, true); // first, for both change the same files
  await carryOut(client, running, false);
  const { plans } = await client.call("plans.list", { sessionId: finished });
  const planId = plans[0]?.planId;
  if (planId === undefined) throw new Error("there is no plan to share");
  const { path } = await client.call("plans.share", { planId });
  return [
    { name: "home", path: "/", shows: "hp-home-view, hp-sidebar a" },
    { name: "inbox", path: "/inbox", shows: "hp-inbox-view a" },
    { name: "library", path: "/plans", shows: "hp-library-view h2, hp-library-view input" },
    { name: "question", path: at(invoices), shows: "hp-question-card .button:enabled" },
    { name: "ugly-card", path: at(ugly), shows: "hp-approval-card .sign:enabled" },
    { name: "ugly", path: at(ugly, "/plan"), shows: "hp-decision-bar .sign:enabled" },
    { name: "ugly-steps", path: at(ugly, "/plan#step-1"), shows: "hp-decision-bar .sign:enabled" },
    { name: "ugly-editor", path: at(ugly, "/plan?edit=steps"), shows: "hp-step-editor textarea" },
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

const openAs = ({ open }: Stage, { width, theme, locale }: Look): Promise<Page> =>
  open({
    viewport: { width, height: HEIGHTS[width] ?? 800 },
    colorScheme: theme,
    locale,
    hasTouch: width < WIDTHS.tablet,
    isMobile: width < WIDTHS.tablet,
  });

async function walk(stage: Stage, look: Look, { scenes, folder }: Tour): Promise<number> {
  const page = await openAs(stage, look);
  for (const { name, path, shows, whole = false } of scenes) {
    await page.goto(`${stage.url}${path}`);
    await page.locator(shows).first().waitFor({ timeout: WAIT_MS_MAX });
    await page.waitForTimeout(REST_MS);
    const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    if (Number(wide) > 0) process.stdout.write(`${name} at ${look.width} is ${String(wide)} px too wide\n`);
    const file = `${name}-${look.width}-${look.theme}-${look.locale}.png`;
    await page.screenshot({ path: join(folder, file), fullPage: whole });
  }
  await page.context().close();
  return scenes.length;
}

async function takeTour(stage: Stage, folder: string): Promise<void> {
  const boxes = languagesWithoutFont(LANGUAGES);
  if (boxes.length > 0)
    process.stdout.write(`no font here for ${boxes.join(", ")}: boxes are drawn (Debian: fonts-noto-cjk)\n`);
  const scenes = await scenesOf(stage);
  let taken = 0;
  for (const look of looks()) {
    taken += await walk(stage, look, { scenes, folder });
    process.stdout.write(`${look.width} ${look.theme} ${look.locale}: ${taken} pictures so far\n`);
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { readme: { type: "boolean" } } });
  const isReadme = values.readme === true;
  const folder =
    positionals[0] ?? join(import.meta.dirname, "..", ...(isReadme ? ["docs", "screens"] : ["reports", "tour"]));
  mkdirSync(folder, { recursive: true });
  if (isReadme) await withStage(storyAnswer, (stage) => readmePictures(stage, folder));
  else await withStage(tourAnswer, (stage) => takeTour(stage, folder));
}
