/** Two gateways on one PostgreSQL with the same accounts at vendors: a person is answered once, whichever gateway dies. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connectHoldpoint } from "../../src/client/index.ts";
import { startGateway } from "../../src/gateway.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { FakeVendor, VendorWorld } from "../../src/channels/contract/fake-vendor.ts";
import { ALL, submit } from "../kit/channels/channel-world.ts";
import { startFakeIrc } from "../kit/channels/fake-irc.ts";
import { startFakeMatrix } from "../kit/channels/fake-matrix.ts";
import { startFakeSlack } from "../kit/channels/fake-slack.ts";
import { type FakeClock, fakeClock } from "../kit/fake-clock.ts";
import { freshDatabase, postgresUrl } from "../kit/postgres.ts";
import { scriptedModel } from "../kit/scripted-model.ts";

const server = (await postgresUrl()) ?? "";
/** The term of a holder and the look of the next one: within this another gateway must have taken over. */
const TAKEOVER_MS_MAX = 15_000;

type Worlds = Readonly<Record<string, VendorWorld>>;

async function gatewayAt(url: string, worlds: Worlds, clock: FakeClock) {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-shared-"));
  const [home, workspace] = [join(folder, "home"), join(folder, "workspace")];
  mkdirSync(workspace);
  mkdirSync(home, { mode: 0o700 });
  const channels = Object.fromEntries(Object.entries(worlds).map(([kind, { settings }]) => [kind, settings]));
  const agents = { defaults: { planMode: { enabled: true, defaultActive: true } } };
  const config = { store: { kind: "postgres", url }, channels, agents, gateway: { pageAddress: "https://g.example" } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify(config), { mode: 0o600 });
  const store = await openPostgresStore({ url });
  const model = scriptedModel(Array.from({ length: 9 }, (_, n) => ({ say: `I will plan ${n}.`, ...submit("Greet") })));
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
    client,
    stop,
    /** From here on it can store nothing, and nobody hears that it is gone. */
    kill: () => store.close(),
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
    const first = await gatewayAt(url, worlds, clock);
    await expect.poll(first.states).toEqual(all(worlds, "running"));
    const second = await gatewayAt(url, worlds, clock);
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
    await until(clock, () => cards().length > 0);
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
