/** A session with a plan before a person, and how its cards are found in the page. */
import type { Locator, Page } from "playwright-core";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { ScriptStep } from "../kit/scripted-model.ts";
import { wireClient } from "../kit/wire-client.ts";
import { type OpenedPage, openWorld, type PageOptions, type World, type WorldOptions } from "./page-world.ts";

const STEPS = ["Sand the wood", "Buy blue paint", "Paint two coats"];
const planOf = (title: string, status = "pending"): JsonObject => ({
  title,
  plan: STEPS.map((step) => ({ step, status })),
});

export const submits = (title: string): ScriptStep => ({ calls: [{ tool: "exit_plan_mode", args: planOf(title) }] });
export const closes: ScriptStep = {
  calls: [{ tool: "update_plan", args: { plan: planOf("", "completed")["plan"] ?? [] } }],
};

export async function planWorld(
  script: NonNullable<WorldOptions["script"]>,
  planMode: JsonObject = {},
  parts: Pick<WorldOptions, "clock"> = {},
): Promise<{ world: World; sessionId: SessionId; address: string }> {
  const world = await openWorld({ ...parts, script, planMode: { defaultActive: true, ...planMode } });
  const { session } = await world.person.must("sessions.create", { title: "The shed" });
  await world.person.must("chat.send", { sessionId: session.id, text: "Paint the shed." });
  return { world, sessionId: session.id, address: `${world.url}/sessions/${session.id}` };
}

/** What a person needs to review and sign. */
const REVIEWER = ["operator.read", "operator.write", "operator.approvals"] as const;

/** The page of another person. */
export async function openFor(world: World, name: string, options: PageOptions = {}): Promise<OpenedPage> {
  const { secret } = await world.person.must("tokens.create", { name, scopes: [...REVIEWER] });
  const other = await wireClient({ url: world.url, token: secret });
  const { fragment } = await other.must("tokens.link", {});
  other.close();
  const opened = await world.openStranger(options);
  await opened.page.goto(`${world.url}/${fragment}`);
  await opened.page.reload();
  await opened.page.getByRole("button", { name: "New session" }).waitFor();
  return opened;
}

export const cardIn = (page: Page, name: string | RegExp = /A plan waits for your signature/): Locator =>
  page.getByRole("region", { name });

/** As soon as it can be pressed. */
export const acceptIn = (page: Page): Locator =>
  cardIn(page).getByRole("button", { name: "Accept", exact: true, disabled: false });

export const composerIn = (page: Page): Locator => page.getByRole("textbox", { name: "Message" });

/** For what takes a moment on a busy machine. */
/** The words of whatever has the keyboard, inside shadow roots too. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const words = at?.textContent.trim() ?? "";
    return words === "" ? (at?.getAttribute("aria-label") ?? "") : words; // a button of a menu draws what is put into it
  });

export async function tabTo(page: Page, words: string): Promise<void> {
  for (let n = 0; n < 30 && (await focused(page)) !== words; n += 1) await page.keyboard.press("Tab");
}

export async function waitingId(world: World): Promise<string> {
  const { sessions } = await world.person.must("sessions.list", { waiting: true });
  return sessions[0]?.waiting?.id ?? "";
}
