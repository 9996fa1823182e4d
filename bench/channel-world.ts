/** A gateway in a process of its own with fakes of Telegram, Slack and a webhook in this one, and a person on each. */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectHoldpoint, type HoldpointClient } from "../src/client/index.ts";
import { startFakeSlack } from "../test/kit/channels/fake-slack.ts";
import { startFakeTelegram } from "../test/kit/channels/fake-telegram.ts";
import { signedHook, startFakeWebhook } from "../test/kit/channels/fake-webhook.ts";
import { type ChildParts, gatewayChild, type GatewayChild } from "../test/kit/gateway-child.ts";

const LOOK_MS = 1;
const PATIENT_MS = 120_000;
const SCOPES = ["operator.read", "operator.write", "operator.approvals"] as const;
export const TELEGRAM_PERSON = "42";
export const SLACK_INBOX = "D502";
export const HOOK_INBOX = "inbox";
const HOOK_PERSON = "501";

export type ChannelWorld = {
  gateway: GatewayChild;
  client: HoldpointClient;
  telegram: Awaited<ReturnType<typeof startFakeTelegram>>;
  slack: Awaited<ReturnType<typeof startFakeSlack>>["vendor"];
  hook: Awaited<ReturnType<typeof startFakeWebhook>>["vendor"];
  /** Resolves when the gateway has answered, which it does when the message is stored. */
  post(text: string, conversation: string): Promise<void>;
};

export type WorldParts = {
  /** Whether two further conversations are shown whatever waits. */
  inboxes: boolean;
  measure(world: ChannelWorld): Promise<void>;
  /** Called with a second gateway on the state that the first has left. */
  afterRestart?(world: ChannelWorld): Promise<void>;
};

export async function withChannels({ inboxes, measure, afterRestart }: WorldParts): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-bench-channels-"));
  const place = { home: join(folder, "home"), workspace: join(folder, "work"), toolMs: 0 };
  await mkdir(place.workspace);
  const fakes = { telegram: await startFakeTelegram(), slack: await startFakeSlack(), hook: await startFakeWebhook() };
  const { telegram, slack, hook } = fakes;
  await configure(place.home, {
    telegram: { kind: "telegram", token: telegram.token, apiRoot: telegram.apiRoot },
    slack: { ...slack.settings, inbox: inboxes ? [SLACK_INBOX] : [] },
    webhook: { ...hook.settings, inbox: inboxes ? [HOOK_INBOX] : [] },
  });
  const vendors = { telegram, slack: slack.vendor, hook: hook.vendor };
  try {
    await withGateway(place, vendors, async (world) => {
      await pairAll(world);
      await measure(world);
    });
    if (afterRestart !== undefined) await withGateway(place, vendors, afterRestart);
  } finally {
    await Promise.all([telegram.close(), slack.vendor.close(), hook.vendor.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

type Vendors = Pick<ChannelWorld, "telegram" | "slack" | "hook">;

async function withGateway(
  place: ChildParts,
  vendors: Vendors,
  measure: (world: ChannelWorld) => Promise<void>,
): Promise<void> {
  const gateway = await gatewayChild(place);
  const { url, token } = gateway;
  const client = connectHoldpoint({ url, token, clientName: "bench", surface: "web" });
  try {
    const running = async (): Promise<boolean> =>
      (await client.call("channels.list", {})).accounts.every(({ state }) => state === "running");
    await until(running);
    await measure({ gateway, client, ...vendors, post: posting(url) });
  } finally {
    client.close();
    gateway.signal("SIGTERM");
    await gateway.exited;
  }
}

export async function configure(home: string, channels: object): Promise<void> {
  await mkdir(home, { mode: 0o700, recursive: true });
  const agents = { defaults: { planMode: { enabled: true, defaultActive: true } } };
  await writeFile(join(home, "config.yaml"), JSON.stringify({ channels, agents }), { mode: 0o600 });
}

function posting(url: string): ChannelWorld["post"] {
  const address = `${url.replace(/^ws/, "http").replace(/\/ws$/, "")}/hooks/webhook/webhook`;
  return async (text, conversation) => {
    const said = { type: "message", conversation, person: { id: HOOK_PERSON, name: "Carol" }, text };
    const { headers, body } = signedHook(said, { id: `evt_${randomUUID()}`, at: Date.now() });
    const sent = { method: "POST", headers: headers as Record<string, string>, body: new Uint8Array(body) };
    const { status } = await fetch(address, sent);
    if (status !== 200) throw new Error(`the gateway answered ${status}`);
  };
}

/** Who only reads in an inbox needs no pairing. */
async function pairAll({ client, telegram, hook, post }: ChannelWorld): Promise<void> {
  telegram.write("/start");
  await post("/pair", HOOK_PERSON);
  const said = () => [telegram.messages.at(-1)?.plain, hook.messages(HOOK_PERSON).at(-1)?.text];
  const codes = () => said().flatMap((text) => /\b[2-9A-Z]{8}\b/.exec(text ?? "")?.[0] ?? []);
  await until(() => codes().length === 2);
  for (const [n, code] of codes().entries())
    await client.call("pair.approve", { code, name: `person ${n}`, scopes: [...SCOPES] });
}

/** Looks until it is so, and says how long that took. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<number> {
  const startedAtMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAtMs > PATIENT_MS) throw new Error("it did not come to be so");
    await sleep(LOOK_MS);
  }
  return performance.now() - startedAtMs;
}
