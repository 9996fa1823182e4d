/** Two gateways on one PostgreSQL with the same accounts at vendors: a person is answered once, whichever gateway dies. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Model } from "../../src/agent/model.ts";
import { connectHoldpoint } from "../../src/client/index.ts";
import { startGateway } from "../../src/gateway.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { FakeVendor, VendorWorld } from "../../src/channels/contract/fake-vendor.ts";
import { ALL, submit } from "../kit/channels/channel-world.ts";
import { startFakeIrc } from "../kit/channels/fake-irc.ts";
import { startFakeMatrix } from "../kit/channels/fake-matrix.ts";
import { startFakeSlack } from "../kit/channels/fake-slack.ts";
import { startFakeWebhook } from "../kit/channels/fake-webhook.ts";
import { decisionsOf, hookPoster, inputsOf } from "../kit/channels/hook-poster.ts";
import { type FakeClock, fakeClock } from "../kit/fake-clock.ts";
import { freshDatabase, postgresUrl } from "../kit/postgres.ts";
import { seeded } from "../kit/random.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { chaosModel } from "../chaos/chaos-model.ts";

const server = (await postgresUrl()) ?? "";
/** The term of a holder and the look of the next one: within this another gateway must have taken over. */
const TAKEOVER_MS_MAX = 15_000;

type Worlds = Readonly<Record<string, VendorWorld>>;

const planner = () =>
  scriptedModel(Array.from({ length: 9 }, (_, n) => ({ say: `I will plan ${n}.`, ...submit("Greet") })));

type Given = { worlds: Worlds; clock: FakeClock; model?: Model };

async function gatewayAt(url: string, { worlds, clock, model = planner() }: Given) {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-shared-"));
  const [home, workspace] = [join(folder, "home"), join(folder, "workspace")];
  mkdirSync(workspace);
  mkdirSync(home, { mode: 0o700 });
  const channels = Object.fromEntries(Object.entries(worlds).map(([kind, { settings }]) => [kind, settings]));
  const agents = { defaults: { planMode: { enabled: true, defaultActive: true } } };
  const config = { store: { kind: "postgres", url }, channels, agents, gateway: { pageAddress: "https://g.example" } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify(config), { mode: 0o600 });
  const store = await openPostgresStore({ url });
  const gateway = await startGateway({ home, workspace, port: 0, log: "silent", model, clock, store, env: {} });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  const client = connectHoldpoint({
    url: gateway.url,
    token: gateway.operatorToken,
    clientName: "journey",
    surface: "cli",
  });
  const stop = async (): Promise<void> => {
    client.close();
    await gateway.stop();
  };
  onTestFinished(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: gateway.url,
    client,
    stop,
    /** From here on it can store nothing, and nobody hears that it is gone. */
    kill: () => store.close(),
    /** Each thing that was sent has its receipt: one without may be sent again by whoever takes over. */
    isRecorded: async () =>
      (await store.subscribers({ id: "", limit: 100 })).every(({ subscriber }) => subscriber.attempt === null),
    states: async () =>
      Object.fromEntries((await client.call("channels.list", {})).accounts.map(({ name, state }) => [name, state])),
    holders: async () => (await client.call("channels.list", {})).accounts.map(({ holder }) => holder),
  };
}

const all = (worlds: Worlds, state: string) => Object.fromEntries(Object.keys(worlds).map((kind) => [kind, state]));

const saidBy = (vendor: FakeVendor): string[] => [
  ...vendor.toasts(),
  ...vendor.messages(vendor.conversation({})).map(({ text }) => text),
];
const answers = (vendor: FakeVendor, text: string): number => saidBy(vendor).filter((one) => one.includes(text)).length;

/** Moves both gateways' clock on until it is so. */
async function until(clock: FakeClock, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      clock.advance(250);
      return isSo();
    })
    .toBe(true);
}

it.skipIf(server === "")(
  "[CH-11, SC-02] of two gateways with the same accounts one serves each: every message is answered once, its successor takes over within its term, and nothing is lost or doubled",
  async () => {
    const worlds = {
      irc: await startFakeIrc(),
      slack: await startFakeSlack(),
      matrix: await startFakeMatrix(),
    };
    onTestFinished(async () => {
      for (const { vendor } of Object.values(worlds)) await vendor.close();
    });
    const url = await freshDatabase(server);
    const clock = fakeClock(Date.UTC(2026, 0, 5, 9));
    const first = await gatewayAt(url, { worlds, clock });
    await expect.poll(first.states).toEqual(all(worlds, "running"));
    const second = await gatewayAt(url, { worlds, clock });
    await expect.poll(second.states).toEqual(all(worlds, "standby"));
    expect(await second.holders()).toEqual(await first.holders());
    expect(new Set(await first.holders()).size).toBe(1);

    const { slack, matrix } = worlds;
    for (const [kind, { vendor }] of Object.entries({ slack, matrix })) {
      vendor.write("/pair");
      await until(clock, () => answers(vendor, "Your code is ") === 1);
      const [code = ""] = /[2-9A-Z]{8}/.exec(saidBy(vendor).find((text) => text.includes("Your code")) ?? "") ?? [];
      await first.client.call("pair.approve", { code, name: `Alice at ${kind}`, scopes: ALL });
    }
    slack.vendor.write("Please greet");
    await until(clock, () => answers(slack.vendor, "Greet") > 0);
    const cards = () =>
      slack.vendor.messages(slack.vendor.conversation({})).filter(({ buttons }) => buttons.length > 0);
    await until(clock, async () => cards().length > 0 && (await first.isRecorded()));
    const before = cards().length;

    await first.kill();
    const diedAtMs = clock.now();
    matrix.vendor.write("/plan status"); // nobody hears it now
    await until(clock, async () => Object.values(await second.states()).every((state) => state === "running"));
    expect(clock.now() - diedAtMs).toBeLessThanOrEqual(TAKEOVER_MS_MAX);
    for (const { vendor } of Object.values(worlds))
      await expect.poll(() => vendor.connections()).toBeLessThanOrEqual(1);
    const status = () => answers(matrix.vendor, "lan mode") + answers(matrix.vendor, "othing");
    await until(clock, () => status() > 0);
    slack.vendor.sendAgain(1);
    const card = cards().at(-1);
    if (card === undefined) throw new Error("no card");
    slack.vendor.press(
      card,
      card.buttons.findIndex(({ label }) => /Accept/.test(label)),
    );
    await until(clock, () => cards().every(({ id }) => id !== card.id));
    expect([cards().length, status()]).toEqual([before - 1, 1]);
  },
);

it.skipIf(server === "")(
  "[CH-11, SC-02, I13] events of one account that come to both gateways, a third of them twice, old ones again, have one effect each: one session and one order for each conversation, one card, one decision",
  async () => {
    const hook = await startFakeWebhook();
    onTestFinished(() => hook.vendor.close());
    const url = await freshDatabase(server);
    const clock = fakeClock(Date.UTC(2026, 0, 5, 9));
    const given = { worlds: { webhook: hook }, clock, model: chaosModel() };
    const first = await gatewayAt(url, given);
    await expect.poll(first.states).toEqual({ webhook: "running" });
    const second = await gatewayAt(url, given);
    const random = seeded(16);
    const { post } = hookPoster(() => clock.now());
    const gateways = [first.url, second.url];
    const either = (): string => gateways[random.below(2)] ?? "";

    await post(second.url, { conversation: "501", text: "/pair" }, "pair");
    const code = () => /[2-9A-Z]{8}/.exec(hook.vendor.messages("501").at(-1)?.text ?? "")?.[0];
    await until(clock, () => code() !== undefined);
    await first.client.call("pair.approve", { code: code() ?? "", name: "Alice", scopes: ALL });

    const [conversations, each] = [["c0", "c1", "c2", "c3"], 6];
    const repeated: Promise<number>[] = [];
    await Promise.all(
      conversations.map(async (conversation) => {
        for (let n = 0; n < each; n++) {
          const said = { conversation, text: `${conversation}m${n}` };
          const id = `${conversation}.${n}`;
          if (n === 0) repeated.push(...gateways.map((at) => post(at, said, id)));
          expect(await post(either(), said, id)).toBe(200);
          if (random.below(3) === 0) repeated.push(post(either(), said, id));
          const old = `${conversation}m${random.below(n + 1)}`;
          if (random.below(3) === 0) repeated.push(post(either(), { conversation, text: old }, old.replace("m", ".")));
        }
      }),
    );
    expect(new Set(await Promise.all(repeated))).toEqual(new Set([200]));
    const { sessions } = await first.client.call("sessions.list", {});
    expect(sessions).toHaveLength(conversations.length);
    const heard = () => Promise.all(sessions.map(({ id }) => inputsOf(second.client, id, /c\dm\d/g)));
    await until(clock, async () => (await heard()).flat().length === conversations.length * each);
    const expected = conversations.map((one) => Array.from({ length: each }, (_, n) => `${one}m${n}`));
    expect((await heard()).map(String).toSorted()).toEqual(expected.map(String));

    const cards = (conversation: string) =>
      hook.vendor.messages(conversation).filter(({ text }) => text.includes("Append lines") && !text.startsWith("["));
    await until(clock, () => conversations.every((one) => cards(one).length > 0));
    const pressed = conversations.map((conversation) => {
      const [card] = cards(conversation);
      if (card === undefined) throw new Error("no card");
      const token = card.buttons.find(({ label }) => /Accept/.test(label))?.data;
      return { type: "click", conversation, token, messageId: card.id };
    });
    await Promise.all(
      pressed.flatMap((click, n) => [
        post(first.url, click, `click ${n}`),
        post(second.url, click, `click ${n}`),
        post(either(), click, `again ${n}`),
      ]),
    );
    await until(clock, () => conversations.every((one) => cards(one).every(({ buttons }) => buttons.length === 0)));
    expect(conversations.map((one) => cards(one).length)).toEqual([1, 1, 1, 1]);
    expect(await Promise.all(sessions.map(({ id }) => decisionsOf(first.client, id)))).toEqual(
      sessions.map(() => ["approved"]),
    );
  },
);
