/**
 * Channels: from a message to the turn that it requests, from a press to every surface, what idle conversations and unused
 * kinds cost, and whether ten thousand queued messages pass a vendor that limits rates, in order and without loss.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { KIND_NAMES } from "../src/channels/kinds.ts";
import { startFakeTwilio } from "../test/kit/channels/fake-twilio.ts";
import { startFakeWebhook } from "../test/kit/channels/fake-webhook.ts";
import { startFakeWhatsapp } from "../test/kit/channels/fake-whatsapp.ts";
import { VENDOR_WORLDS } from "../test/kit/channels/vendor-worlds.ts";
import { drainOutbox } from "./channel-outbox.ts";
import {
  type ChannelWorld,
  configure,
  HOOK_INBOX,
  SLACK_INBOX,
  TELEGRAM_PERSON,
  until,
  withChannels,
} from "./channel-world.ts";
import { against, figure, type Group, median, percentile } from "./figure.ts";
import { copyOfTree, startOnce } from "./start.ts";

const MESSAGES = 200;
const WARM_UP = 20;
const PRESSES = 15;
const CONVERSATIONS = 1_000;
const FEW = 50;
const STARTS = 7;
/** The engine gives back what a burst took when it has rested for a while. */
const IDLE_MS = 20_000;
const MIB = 1_048_576;
/** What is to be reached on an idle machine. */
const BARS = { messageMs: 10, pressMs: 1_000, idleMib: 40 };

export const channels: Group = async (report) => {
  await withChannels({ inboxes: false, measure: (world) => messages(world, report) });
  await withChannels({ inboxes: true, measure: (world) => presses(world, report) });
  await idleConversations(report);
  await unused(report);
  await outbox(report);
};

type Report = Parameters<Group>[0];

/**
 * The answer comes when message and turn are committed together, so it is an upper bound; beside a durable patch, since what
 * else the machine does slows both. The turn before has brought its card by then: people do not write in the middle of it.
 */
async function messages({ client, post, hook }: ChannelWorld, report: Report): Promise<void> {
  const [opened, patched]: [number[], number[]] = [[], []];
  for (let n = 0; n < MESSAGES + WARM_UP; n++) {
    const conversation = `new-${n}`;
    const newMs = await timed(() => post("please", conversation));
    await until(() => waitingIn(hook.messages(conversation)) > 0);
    const besideMs = await patchMs(client);
    if (n < WARM_UP) continue;
    opened.push(newMs);
    patched.push(besideMs);
  }
  for (const percent of [50, 99]) {
    const name = `message → turn requested, p${percent} (bar ${BARS.messageMs} ms)`;
    report(against(percentile(patched, percent), figure(name, percentile(opened, percent), "ms")));
  }
}

/** Pressed on Telegram; edited there and in the inboxes on Slack and behind the webhook, and decided on the page. */
async function presses({ client, telegram, slack, hook }: ChannelWorld, report: Report): Promise<void> {
  const [took, patched]: [number[], number[]] = [[], []];
  const card = () =>
    telegram.messages.findLast(({ chatId, keyboard }) => chatId === TELEGRAM_PERSON && keyboard.length > 0);
  const [onSlack, onHook] = [() => waitingIn(slack.messages(SLACK_INBOX)), () => waitingIn(hook.messages(HOOK_INBOX))];
  const onPage = async () => (await client.call("sessions.list", { waiting: true })).sessions.length;
  for (let n = 0; n < PRESSES; n++) {
    telegram.write("Please append");
    await until(() => card() !== undefined && onSlack() === 1 && onHook() === 1);
    const pressed = card();
    if (pressed === undefined) throw new Error("no card");
    const startedAtMs = performance.now();
    telegram.press(pressed, /Accept/);
    await until(async () => card() === undefined && onSlack() + onHook() === 0 && (await onPage()) === 0);
    took.push(performance.now() - startedAtMs);
    patched.push(await patchMs(client));
  }
  for (const percent of [50, 100]) {
    const name = `press → four surfaces, p${percent} (bar ${BARS.pressMs} ms)`;
    report(against(percentile(patched, percent), figure(name, percentile(took, percent), "ms")));
  }
}

async function patchMs(client: ChannelWorld["client"]): Promise<number> {
  const { session } = await client.call("sessions.create", {});
  return timed(() => client.call("sessions.patch", { sessionId: session.id, title: "measured" }));
}

const waitingIn = (shown: readonly { buttons: readonly unknown[] }[]): number =>
  shown.filter(({ buttons }) => buttons.length > 0).length;

/** Beside a gateway that took as many messages in a handful of conversations: what work leaves in the heap is in both. */
async function idleConversations(report: Report): Promise<void> {
  const [few, many] = [await idleBytes(FEW), await idleBytes(FEW + CONVERSATIONS)];
  const name = `${CONVERSATIONS} idle conversations more`;
  report(against(BARS.idleMib, figure(`${name}, started anew`, (many.anew - few.anew) / MIB, "MiB")));
  report(
    against(BARS.idleMib, figure(`${name}, in the gateway that took them`, (many.before - few.before) / MIB, "MiB")),
  );
}

async function idleBytes(count: number): Promise<{ before: number; anew: number }> {
  const bytes = { before: 0, anew: 0 };
  await withChannels({
    inboxes: false,
    async measure({ gateway, hook, client, post }) {
      for (let n = 0; n < FEW + CONVERSATIONS; n++) await post("please", `idle-${n % count}`);
      const isShown = (n: number): boolean => waitingIn(hook.messages(`idle-${n}`)) === 1;
      let shown = 0;
      await until(() => {
        while (shown < count && isShown(shown)) shown += 1;
        return shown === count;
      });
      await client.call("status", {});
      await sleep(IDLE_MS);
      bytes.before = residentBytes(gateway.pid);
    },
    async afterRestart({ gateway }) {
      await sleep(IDLE_MS);
      bytes.anew = residentBytes(gateway.pid);
    },
  });
  return bytes;
}

const residentBytes = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).trim()) * 1_024;

/** Every kind is configured and switched off, beside a gateway that has no channel at all. */
async function unused(report: Report): Promise<void> {
  const tree = await copyOfTree();
  const entry = join(tree, "bin", "holdpoint.js");
  const off = await switchedOff();
  const [plain, full] = [await home({}), await home(off)];
  for (const one of [plain, full]) await startOnce(entry, one, 0); // the first one fills the compile cache
  const rounds: { without: Start; having: Start }[] = [];
  for (let round = 0; round < STARTS; round++)
    rounds.push({ without: await startOnce(entry, plain), having: await startOnce(entry, full) });
  const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
  const kinds = `${Object.keys(off).length} kinds configured and off`;
  report(
    against(
      of(({ without }) => without.readyMs),
      figure(
        `start → ready, ${kinds}`,
        of(({ having }) => having.readyMs),
        "ms",
      ),
    ),
  );
  report(
    against(
      of(({ without }) => without.idleBytes) / MIB,
      figure(`idle memory, ${kinds}`, of(({ having }) => having.idleBytes) / MIB, "MiB"),
    ),
  );
  report(figure(`modules of vendors loaded, ${kinds}`, await vendorModules(entry, full), "modules"));
  for (const folder of [tree, plain, full]) await rm(folder, { recursive: true, force: true });
}

type Start = Awaited<ReturnType<typeof startOnce>>;

async function home(channelsOff: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-unused-"));
  await configure(folder, channelsOff);
  return folder;
}

/** What `channels add` would have written, with an address that nobody listens at. */
async function switchedOff(): Promise<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(await sampleSettings()).map(([name, one]) => [name, { ...one, enabled: false }]),
  );
}

async function sampleSettings(): Promise<Record<string, object>> {
  const worlds = { ...VENDOR_WORLDS, webhook: startFakeWebhook, sms: startFakeTwilio, whatsapp: startFakeWhatsapp };
  const made: Record<string, object> = {};
  for (const [name, open] of Object.entries(worlds)) {
    const { settings, vendor } = await open();
    made[name] = settings;
    await vendor.close();
  }
  return made;
}

/** What a start loads is written by V8 itself when the process ends. */
async function vendorModules(entry: string, at: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-loaded-"));
  process.env["NODE_V8_COVERAGE"] = folder;
  try {
    await startOnce(entry, at);
  } finally {
    delete process.env["NODE_V8_COVERAGE"];
  }
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
  await rm(folder, { recursive: true, force: true });
  const loaded = texts.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  if (!loaded.some((url) => url.includes("/src/channels/plugin.ts")))
    throw new Error("the channels' plugin was not seen");
  const vendor = new RegExp(`/src/channels/(?:${KIND_NAMES.join("|")})/`);
  return new Set(loaded.filter((url) => vendor.test(url))).size;
}

async function outbox(report: Report): Promise<void> {
  const { sent, lost, disordered, repeated, limited, seconds } = await drainOutbox();
  report(figure(`outbox: ${sent} queued messages, lost`, lost, "messages"));
  report(figure("outbox: out of their order", disordered, "messages"));
  report(figure("outbox: said to be a repetition, after a broken connection", repeated, "messages"));
  report(figure("outbox: refused by the vendor's limit meanwhile", limited, "requests"));
  report(figure("outbox: drained", sent / seconds, "per s"));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}
