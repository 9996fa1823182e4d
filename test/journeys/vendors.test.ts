import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { FakeVendor, SeenMessage, VendorWorld } from "../../src/channels/contract/fake-vendor.ts";
import { connectHoldpoint } from "../../src/client/index.ts";
import { startGateway } from "../../src/gateway.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { ALL, done, submit } from "../kit/channels/channel-world.ts";
import { VENDOR_WORLDS } from "../kit/channels/vendor-worlds.ts";
import { fakeClock } from "../kit/fake-clock.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";

const CYCLE: ScriptStep[] = [
  { say: "I will plan.", ...submit("Greet") },
  submit("Greet politely"),
  { say: "Approved, thank you.", ...done },
  { say: "Done." },
];
const MALLORY = { person: "666" };
/** Waits for rates and repeated tries are no longer than this; what is under way is given up after far more. */
const RATE_MS_MAX = 5_000;
const TICK_MS = 250;

/** One gateway with an account at each vendor; vendors that send requests reach it by its own server. */
async function world() {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-vendors-"));
  const [home, workspace] = [join(folder, "home"), join(folder, "workspace")];
  mkdirSync(workspace);
  mkdirSync(home, { mode: 0o700 });
  const worlds: [string, VendorWorld][] = [];
  for (const [kind, start] of Object.entries(VENDOR_WORLDS)) worlds.push([kind, await start()]);
  const channels = Object.fromEntries(worlds.map(([kind, { settings }]) => [kind, settings]));
  const agents = { defaults: { planMode: { enabled: true, defaultActive: true } } };
  const config = { channels, agents, gateway: { pageAddress: "https://gateway.example" } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify(config), { mode: 0o600 });
  const clock = fakeClock(Date.UTC(2026, 0, 5, 9));
  const model = scriptedModel(worlds.flatMap(() => CYCLE));
  const gateway = await startGateway({ home, workspace, port: 0, log: "silent", model, clock, env: {} });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  const { url, operatorToken: token } = gateway;
  const client = connectHoldpoint({ url, token, clientName: "journey", surface: "cli" });
  onTestFinished(async () => {
    client.close();
    await gateway.stop();
    for (const [, { vendor }] of worlds) await vendor.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [kind, { vendor }] of worlds)
    vendor.attach?.(async ({ path, headers, body }) => {
      const at = new URL(`/hooks/${kind}/${kind}${path}`, url.replace(/^ws/, "http"));
      const given = await fetch(at, {
        method: "POST",
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
      });
      return { status: given.status, body: await given.text() };
    });
  /**
   * Moves the clock on until it is so, only over the waits for vendors' rates: one that runs ahead of what is under way
   * on a busy machine would have deliveries given up and sent again.
   */
  const until = async <Value>(look: () => Value, isSo: (value: Value) => boolean): Promise<Value> => {
    await expect
      .poll(() => {
        const waitMs = (clock.alarms[0] ?? Infinity) - clock.now();
        if (waitMs <= RATE_MS_MAX) clock.advance(Math.min(waitMs, TICK_MS));
        return isSo(look());
      })
      .toBe(true);
    return look();
  };
  const phaseAt = async (kind: string) => {
    for (const { id } of (await client.call("sessions.list", {})).sessions) {
      const { session } = await client.call("sessions.get", { sessionId: id });
      if (session.surface === kind) return PlanModeState.parse(session.slices["planMode"]).now.phase;
    }
    return undefined;
  };
  return { worlds, client, until, phaseAt };
}

type Until = Awaited<ReturnType<typeof world>>["until"];

const cardIn = (vendor: FakeVendor, title: string): SeenMessage | undefined =>
  vendor.messages(vendor.conversation({})).findLast(({ text, buttons }) => buttons.length > 0 && text.includes(title));

async function shownCard(vendor: FakeVendor, title: string, until: Until): Promise<SeenMessage> {
  const card = await until(
    () => cardIn(vendor, title),
    (found) => found !== undefined,
  );
  if (card === undefined) throw new Error("no card");
  return card;
}

const labelled = ({ buttons }: SeenMessage, label: RegExp): number => buttons.findIndex((one) => label.test(one.label));

/** In the vendor's own form, else in reply to the question. */
async function sendBack(vendor: FakeVendor, card: SeenMessage, until: Until): Promise<void> {
  const button = labelled(card, /Send back|Revise|change/i);
  const filled = { words: "be polite" };
  if (vendor.submit !== undefined) return vendor.submit(card, button, filled);
  const before = vendor.messages(vendor.conversation({})).length;
  vendor.press(card, button);
  const messages = await until(
    () => vendor.messages(vendor.conversation({})),
    ({ length }) => length > before,
  );
  vendor.write(filled.words, { replyTo: messages.at(-1)?.id ?? "" });
}

it("[CH-01, CH-03, CH-07, CH-08, CH-09, CH-10, CH-12] at each vendor with buttons a person takes a whole cycle: paired, card, sent back in words, approved, edited in its place, done", async () => {
  const { worlds, client, until, phaseAt } = await world();
  await expect
    .poll(async () => (await client.call("channels.list", {})).accounts.map(({ state }) => state))
    .toEqual(worlds.map(() => "running"));
  for (const [kind, { vendor }] of worlds) {
    const here = vendor.conversation({});
    const said = (): string[] => [...vendor.toasts(), ...vendor.messages(here).map(({ text }) => text)];
    vendor.write("/plan status", MALLORY); // a stranger hears nothing
    vendor.write("/pair");
    const answers = await until(said, (texts) => texts.some((text) => text.includes("Your code is ")));
    const [code = ""] = /[2-9A-Z]{8}/.exec(answers.at(-1) ?? "") ?? [];
    await client.call("pair.approve", { code, name: `Alice at ${kind}`, scopes: ALL });
    vendor.write("Please greet");
    const first = await shownCard(vendor, "Greet", until);
    vendor.press(first, labelled(first, /Accept/), MALLORY);
    await sendBack(vendor, first, until);
    const second = await shownCard(vendor, "Greet politely", until);
    expect([kind, vendor.messages(here).find(({ id }) => id === first.id)?.buttons]).toEqual([kind, []]);
    vendor.press(second, labelled(second, /Accept/));
    const ended = (): SeenMessage | undefined => vendor.messages(here).find(({ id }) => id === second.id);
    await until(
      () => vendor.messages(here).at(-1)?.text === "Done." && ended()?.text.includes("carried out") === true,
      (isSo) => isSo,
    );
    expect([kind, ended()?.buttons]).toEqual([kind, []]);
    expect([kind, vendor.messages(vendor.conversation(MALLORY))]).toEqual([kind, []]);
    expect([kind, await phaseAt(kind)]).toEqual([kind, "off"]);
  }
});
