/** Whatever the gateway says is told in the language of the person: no sentence of the house is left in English. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page has to be inside of what is sent there */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ModelFailure } from "../../src/agent/model.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { localized } from "../../src/protocol/localized/localized-text.ts";
import { PSEUDO_LOCALE } from "../../ui/i18n/locales.ts";
import type { ScriptStep } from "../kit/scripted-model.ts";
import { browserTest, openWorld, type OpenedPage, type World, PATIENT, LONG_MS_MAX } from "./page-world.ts";
import { acceptCommand } from "../kit/accept-command.ts";

/** High enough for a reply and what stands around it. */
const SCREEN = { width: 1280, height: 1600 };
/** Stands in all that people and agents say here. */
const THEIRS = "Qx";
const STEPS = [`${THEIRS} sand`, `${THEIRS} paint`];
const planWith = (status: string) => STEPS.map((step) => ({ step, status }));

const script: ScriptStep[] = [
  { calls: [{ tool: "write", args: { path: `${THEIRS}.txt`, content: THEIRS } }] }, // plan mode refuses it
  {
    calls: [{ tool: "exit_plan_mode", args: { title: `${THEIRS} shed`, summary: THEIRS, plan: planWith("pending") } }],
  },
  { calls: [{ tool: "update_plan", args: { plan: planWith("completed") } }] },
  { say: `${THEIRS} done.` },
  {
    fail: new ModelFailure(localized("modelKeyRefused", { model: "openai/x", status: "401", keys: "X_KEY" }), {
      retry: false,
      kind: "auth",
    }),
  },
];

/** Where the page speaks the language that puts accents on its texts, plain words in a row were translated by nobody. */
const PLAIN_WORDS = String.raw`\b[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}\b`;
/** Two of them make a sentence English, whatever alphabet the page writes. */
const ENGLISH_WORDS = String.raw`\b(the|is|are|of|and|it|your|this|that|with|for)\b.*\b(the|is|are|of|and|it|your|this|that|with|for)\b`;

function englishIn(page: Page, sentence: string): Promise<string[]> {
  return page.evaluate(
    ({ theirs, english }) => {
      const found: string[] = [];
      const isShown = (element: Element): boolean =>
        !element.matches(
          "script, style, code, .all, details:not([open]) > :not(summary), [hidden], dialog:not([open])",
        );
      const isEnglish = (text: string): boolean => new RegExp(english, "i").test(text);
      const look = (root: Node): void => {
        for (const node of root.childNodes) {
          const text = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : "";
          found.push(...text.split("\n").filter((line) => isEnglish(line) && !line.includes(theirs)));
          if (!(node instanceof Element) || !isShown(node)) continue;
          if (node.shadowRoot !== null) look(node.shadowRoot);
          look(node);
        }
      };
      look(document.body);
      return [...new Set(found)];
    },
    { theirs: THEIRS, english: sentence },
  );
}

const COMMANDS = ["/plan on", "/help", "/help plan", "/commands", "/status", "/plan", "/plan notes", "/permissions"];
const OF_A_PLAN = ["/plan view", "/plan status"];

async function type(page: Page, text: string): Promise<void> {
  const composer = page.locator("textarea").first();
  await composer.fill(text);
  await composer.press("Escape"); // the list of completions
  await composer.press("Enter");
}

/** What is answered stands in the conversation under what was typed; older answers are not drawn any more. */
async function runCommands(page: Page, commands: readonly string[], look: (place: string) => Promise<void>) {
  for (const command of commands) {
    await type(page, command);
    const typed = page.locator(".aside", { has: page.getByText(command, { exact: true }) });
    await typed.locator("pre.reply").waitFor();
    await look(`reply${command.replaceAll(/[/ ]/g, "-")}`);
  }
}

/** A session with a title of somebody. */
async function begun(): Promise<{ world: World; address: string; sessionId: SessionId }> {
  const world = await openWorld({ script });
  const { session } = await world.person.must("sessions.create", { title: `${THEIRS} title` });
  return { world, address: `${world.url}/sessions/${session.id}`, sessionId: session.id };
}

/** A plan is submitted and carried out, then the model fails; all of it by somebody elsewhere. */
async function perform({ world, sessionId }: Begun, page: Page): Promise<void> {
  const { must } = world.person;
  const notices = (): Promise<number> => page.locator("p.note").count();
  await must("chat.send", { sessionId, text: `${THEIRS} please` });
  await expect.poll(async () => (await must("sessions.list", { waiting: true })).sessions.length, PATIENT).toBe(1);
  const { session } = await must("sessions.get", { sessionId });
  await must("chat.send", { sessionId, text: acceptCommand(session) });
  await expect.poll(notices, PATIENT).toBe(1); // the plan is complete
  await must("chat.send", { sessionId, text: `${THEIRS} again` });
  await page.locator(".failed").first().waitFor(); // the model could not answer
}

type Begun = Awaited<ReturnType<typeof begun>>;

async function tour(opened: OpenedPage, here: Begun, name: string): Promise<string[]> {
  const { world, address } = here;
  const { page, shot } = opened;
  await page.goto(address);
  await page.locator("textarea").first().waitFor();
  const sentence = name === "pseudo" ? PLAIN_WORDS : ENGLISH_WORDS;
  const left: string[] = [];
  const look = async (place: string): Promise<void> => {
    left.push(...(await englishIn(page, sentence)).map((text) => `${place}: ${text}`));
    await shot(`said-${name}-${place}`);
  };
  await page.locator("textarea").first().fill("/plan ");
  await page.getByRole("option").first().waitFor();
  await look("completions");
  await runCommands(page, COMMANDS, look);
  await type(page, "/plan nonsense");
  await page.getByRole("alert").locator("p").first().waitFor();
  await look("refused");
  await page.getByRole("alert").getByRole("button").first().click();
  await page.locator("textarea").first().fill("");
  await perform(here, page);
  await look("notices");
  await runCommands(page, OF_A_PLAN, look);
  for (const view of ["timeline", "run"]) {
    await page.goto(`${address}/${view}`);
    await page.locator("main h1, main h2, h1").first().waitFor();
    await page.getByText(new RegExp(THEIRS)).first().waitFor();
    await look(view);
  }
  await page.goto(`${world.url}/audit`);
  await page.locator("li.item").first().waitFor();
  await look("audit");
  await page.goto(`${world.url}/settings`);
  await page.locator("hp-plugins-section li").first().waitFor();
  await look("settings");
  return left;
}

describe("what the gateway says", () => {
  browserTest(
    "[UI-06] commands, refusals, notices, failures of models, records and plugins: nothing of the house is left in English",
    async () => {
      const here = await begun();
      const opened = await here.world.openPage({ locale: "de", size: SCREEN });
      await opened.page.evaluate((locale) => localStorage.setItem("holdpoint.language", locale), PSEUDO_LOCALE);
      expect(await tour(opened, here, "pseudo")).toEqual([]);
    },
    LONG_MS_MAX,
  );

  browserTest(
    "[UI-06] in German and in Japanese as well",
    async () => {
      for (const locale of ["de", "ja"]) {
        const here = await begun();
        const opened = await here.world.openPage({ locale, size: SCREEN });
        expect(await tour(opened, here, locale)).toEqual([]);
      }
    },
    LONG_MS_MAX,
  );
});
