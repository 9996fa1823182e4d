/**
 * Two gateways on one PostgreSQL, in processes of their own. The one that serves the account is killed while a third of the
 * events is on its way; the vendor sends what was not confirmed to the other one, some of it twice.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connectHoldpoint, type HoldpointClient } from "../../src/client/index.ts";
import { MUTATIONS_FILE } from "../chaos/chaos-model.ts";
import { ALL } from "../kit/channels/channel-world.ts";
import { startFakeWebhook } from "../kit/channels/fake-webhook.ts";
import { decisionsOf, hookPoster, inputsOf } from "../kit/channels/hook-poster.ts";
import { gatewayChild } from "../kit/gateway-child.ts";
import { freshDatabase, gatewayPlace, postgresUrl } from "../kit/postgres.ts";
import { seeded } from "../kit/random.ts";

const server = (await postgresUrl()) ?? "";
const CONVERSATIONS = Array.from({ length: 12 }, (_, n) => `c${n}`);
const EACH = 6;
/** How many events are confirmed when the gateway is killed. */
const CONFIRMED = Math.floor((CONVERSATIONS.length * EACH) / 3);
const PATIENCE = { timeout: 60_000, interval: 100 };
const APPENDS_PER_PLAN = 2;

async function world() {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-holder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const hook = await startFakeWebhook();
  onTestFinished(() => hook.vendor.close());
  const url = await freshDatabase(server);
  const { workspace } = await gatewayPlace(folder, url);
  const start = async (name: string) => {
    const { home } = await gatewayPlace(join(folder, name), url);
    const file = join(home, "config.yaml");
    const config = { ...JSON.parse(readFileSync(file, "utf8")), channels: { webhook: hook.settings } };
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
    const gateway = await gatewayChild({ home, workspace });
    onTestFinished(() => gateway.kill());
    const { url: at, token } = gateway;
    const client = connectHoldpoint({ url: at, token, clientName: name, surface: "cli" });
    onTestFinished(() => client.close());
    return { gateway, client, url: at };
  };
  return { hook: hook.vendor, workspace, first: await start("first"), start };
}

const accountOf = async (client: HoldpointClient) => (await client.call("channels.list", {})).accounts[0];
const stateOf = async (client: HoldpointClient) => (await accountOf(client))?.state;
const holderOf = async (client: HoldpointClient) => (await accountOf(client))?.holder;

it.skipIf(server === "")(
  "[CH-11, SC-02, SC-03, I13] the gateway that serves an account is killed while events are on their way: each message has one effect, in the order of its conversation, and each card is decided once",
  { timeout: 180_000 },
  async () => {
    const { hook, workspace, first, start } = await world();
    await expect.poll(() => stateOf(first.client), PATIENCE).toBe("running");
    const second = await start("second");
    await expect.poll(() => stateOf(second.client), PATIENCE).toBe("running");
    const killed = await holderOf(second.client);
    expect(killed).toBe(await holderOf(first.client));
    const { post } = hookPoster(Date.now);
    await post(first.url, { conversation: "501", text: "/pair" }, "pair");
    const code = () => /[2-9A-Z]{8}/.exec(hook.messages("501").at(-1)?.text ?? "")?.[0] ?? "";
    await expect.poll(code, PATIENCE).not.toBe("");
    await second.client.call("pair.approve", { code: code(), name: "Alice", scopes: ALL });

    const random = seeded(61);
    const either = (): string => (random.below(2) === 0 ? first.url : second.url);
    let confirmed = 0;
    const repeated: Promise<number>[] = [];
    /** Until somebody confirms it. */
    const insist = async (body: object, id: string): Promise<void> => {
      while ((await post(either(), body, id)) !== 200);
      confirmed += 1;
      if (confirmed === CONFIRMED) await first.gateway.kill();
    };
    await Promise.all(
      CONVERSATIONS.map(async (conversation) => {
        for (let n = 0; n < EACH; n++) {
          const said = { conversation, text: `${conversation}m${n};` };
          if (random.below(3) === 0) repeated.push(post(either(), said, `${conversation}.${n}`));
          await insist(said, `${conversation}.${n}`);
          if (random.below(3) === 0) repeated.push(post(either(), said, `${conversation}.${n}`));
        }
      }),
    );
    await Promise.all(repeated);

    await expect.poll(() => holderOf(second.client), PATIENCE).not.toBe(killed);
    const { sessions } = await second.client.call("sessions.list", { limit: 100 });
    expect(sessions).toHaveLength(CONVERSATIONS.length);
    const heard = () => Promise.all(sessions.map(({ id }) => inputsOf(second.client, id, /c\d+m\d+;/g)));
    await expect.poll(async () => (await heard()).flat().length, PATIENCE).toBe(CONVERSATIONS.length * EACH);
    const expected = CONVERSATIONS.map((one) => Array.from({ length: EACH }, (_, n) => `${one}m${n};`));
    expect((await heard()).map(String).toSorted()).toEqual(expected.map(String).toSorted());

    const open = (conversation: string) => hook.messages(conversation).filter(({ buttons }) => buttons.length > 0);
    await expect.poll(() => CONVERSATIONS.filter((one) => open(one).length === 0), PATIENCE).toEqual([]);
    for (const conversation of CONVERSATIONS) {
      const card = open(conversation).at(-1);
      const token = card?.buttons.find(({ label }) => /Accept/.test(label))?.data;
      const click = { type: "click", conversation, token, messageId: card?.id };
      const ids = [`click ${conversation}`, `click ${conversation}`, `again ${conversation}`];
      expect(await Promise.all(ids.map((id) => post(second.url, click, id)))).toEqual([200, 200, 200]);
    }
    const lines = () => readFileSync(join(workspace, MUTATIONS_FILE), "utf8").trim().split("\n");
    await expect.poll(() => lines().length, PATIENCE).toBe(CONVERSATIONS.length * APPENDS_PER_PLAN);
    await expect.poll(() => CONVERSATIONS.filter((one) => open(one).length > 0), PATIENCE).toEqual([]);
    expect(await Promise.all(sessions.map(({ id }) => decisionsOf(second.client, id)))).toEqual(
      sessions.map(() => ["approved"]),
    );
  },
);
