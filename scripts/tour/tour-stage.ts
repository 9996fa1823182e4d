/** What pictures are taken of: a gateway with an agent that follows a script, and its page in Chromium from npm. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { connectHoldpoint, type HoldpointClient } from "../../src/client/client.ts";
import { startGateway } from "../../src/gateway.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { startChromium } from "../../test/kit/chromium-server.ts";

export const WAIT_MS_MAX = 60_000;

export type Stage = {
  url: string;
  client: HoldpointClient;
  browser: Browser;
  /** A page that is logged in. */
  open(look: NonNullable<Parameters<Browser["newContext"]>[0]>): Promise<Page>;
  /** Resolves with a session in which something waits for a person. */
  ask(title: string, text: string): Promise<SessionId>;
};

type Story = Parameters<typeof scriptedModel>[0];

export async function withStage(story: Story, play: (stage: Stage) => Promise<void>): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const server = stack.adopt(await startChromium(), ({ stop }) => stop());
  const { root, home, workspace } = makeHome(server.pageHome);
  stack.defer(() => rmSync(root, { recursive: true }));
  const model = scriptedModel(story);
  const gateway = await startGateway({ home, workspace, port: 0, env: {}, log: "silent", model });
  if ("alreadyRunning" in gateway) throw new Error(`a gateway runs in ${root} already`);
  stack.defer(() => gateway.stop());
  const { url, operatorToken: token } = gateway;
  const client = stack.adopt(connectHoldpoint({ url, token, clientName: "tour" }), (one) => one.close());
  const browser = stack.adopt(await chromium.connect(server.endpoint), (one) => one.close());
  await play({
    url,
    client,
    browser,
    open: (look) => openPage({ url, client, browser }, look),
    ask: (title, text) => ask(client, title, text),
  });
}

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

export async function waitFor(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + WAIT_MS_MAX;
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`waited too long for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function ask(client: HoldpointClient, title: string, text: string): Promise<SessionId> {
  const { session } = await client.call("sessions.create", { title });
  await client.call("chat.send", { sessionId: session.id, text });
  await waitFor(title, async () => {
    const { sessions } = await client.call("sessions.list", { waiting: true });
    return sessions.some(({ id }) => id === session.id);
  });
  return session.id;
}

async function openPage(
  { url, client, browser }: Pick<Stage, "url" | "client" | "browser">,
  look: Parameters<Stage["open"]>[0],
): Promise<Page> {
  const context = await browser.newContext({ locale: "en", timezoneId: "UTC", reducedMotion: "reduce", ...look });
  const page = await context.newPage();
  const { fragment } = await client.call("tokens.link", {});
  await page.goto(`${url}/${fragment}`);
  await page.getByRole("button", { name: /./ }).first().waitFor();
  return page;
}

/** Languages whose characters would be drawn as boxes here. */
export function languagesWithoutFont(languages: readonly string[]): string[] {
  return languages.filter((language) => {
    try {
      return execFileSync("fc-list", [`:lang=${language}`], { encoding: "utf8", stdio: "pipe" }).trim() === "";
    } catch {
      return true; // no fontconfig: nothing is known, and most likely nothing is there
    }
  });
}
