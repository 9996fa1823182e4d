/**
 * Ten thousand stored messages through delivery, the bridge and Telegram's own client to a fake that limits rates more than
 * we expect, breaks connections and answers with errors. Its clock is ours, so that waiting takes no time.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAccount } from "../src/channels/bridge/account.ts";
import type { ChannelsHouse } from "../src/channels/bridge/house.ts";
import { KINDS } from "../src/channels/kinds.ts";
import { ChannelSettings } from "../src/channels/protocol/settings.ts";
import { createDelivery, type Deliveries } from "../src/delivery/delivery.ts";
import { textOf } from "../src/gateway/channels/text-of.ts";
import type { ChannelIo } from "../src/plugins/sdk.ts";
import type { SessionId } from "../src/protocol/ids.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../src/store/store.ts";
import { aCommit, committed, create, entry, sid, START_MS } from "../src/store/contract/harness.ts";
import { startFakeTelegram, type TelegramMessage, tooMany } from "../test/kit/channels/fake-telegram.ts";
import { type FakeClock, fakeClock } from "../test/kit/fake-clock.ts";

const CONVERSATIONS = 100;
const EACH = 100;
const COMMIT_EVENTS = 50;
/** What the vendor allows is less than what we think that it allows. */
const CHAT_PER_SECOND = 0.8;
const ALL_PER_SECOND = 25;
const WAIT_SECONDS = 3;
const BREAKS_EVERY = 97;
const FAILS_EVERY = 131;
const STEP_MS = 250;
const REPEATED = /^\(This may be a repetition[^\n]*\n/;

export type Drained = {
  sent: number;
  lost: number;
  disordered: number;
  repeated: number;
  limited: number;
  seconds: number;
};

export async function drainOutbox(): Promise<Drained> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-outbox-"));
  const clock = fakeClock(START_MS);
  const store = await openSqliteStore({
    folder,
    onFatal(error) {
      throw error;
    },
  });
  const telegram = await startFakeTelegram();
  const limits = limiting(telegram, clock);
  const { delivery, stop } = opened({ store, clock, telegram });
  await queueAll(store, delivery);
  const startedAtMs = performance.now();
  await delivery.start();
  const arrived = new Set<string>();
  let looked = 0;
  while (arrived.size < CONVERSATIONS * EACH) {
    for (; looked < telegram.messages.length; looked++)
      for (const text of texts(telegram.messages.slice(looked, looked + 1))) arrived.add(text);
    clock.advance(STEP_MS);
    const before = telegram.calls.length;
    do await new Promise((resolve) => void setImmediate(resolve));
    while (telegram.calls.length > before && limits.busy());
  }
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await stop();
  await store.close();
  await telegram.close();
  await rm(folder, { recursive: true, force: true });
  return { ...judged(telegram.messages), limited: limits.limited(), seconds };
}

/** Each conversation follows its session before anything is said there. */
async function queueAll(store: Store, delivery: Deliveries): Promise<void> {
  for (let c = 0; c < CONVERSATIONS; c++) {
    const id = sid(c);
    committed(await store.commit(create(id)));
    const place = { surface: "telegram", account: "main", conversation: String(1_000 + c) };
    await delivery.follow(place, { kind: "session", sessionId: id });
    await say(store, id);
  }
}

async function say(store: Store, id: SessionId): Promise<void> {
  for (let from = 0; from < EACH; from += COMMIT_EVENTS) {
    const expectedVersion = (await store.session(id))?.version ?? 0;
    const events = Array.from({ length: COMMIT_EVENTS }, (_, n) => entry(from + n));
    committed(await store.commit(aCommit(id, { expectedVersion, events })));
  }
}

type Parts = { store: Store; clock: FakeClock; telegram: Awaited<ReturnType<typeof startFakeTelegram>> };

function opened({ store, clock, telegram }: Parts): { delivery: Deliveries; stop(): Promise<void> } {
  const settings = ChannelSettings.parse({ kind: "telegram", token: telegram.token, apiRoot: telegram.apiRoot });
  const notes = new Map<string, string>();
  const io: ChannelIo = {
    receive: async () => ({ kind: "dropped" }),
    mayWrite: async () => false,
    follow: async () => undefined,
    unfollow: async () => undefined,
    notes: {
      get: async (_account, key) => notes.get(key),
      set: async (_account, key, note) => void (note === null ? notes.delete(key) : notes.set(key, note.value)),
      add: async () => true,
    },
    hold: async () => ({
      isHere: () => true,
      holder: () => undefined,
      onChange: () => undefined,
      release: async () => undefined,
    }),
    resume: () => undefined,
    pageOf: () => undefined,
  };
  const house: ChannelsHouse = {
    settings: () => ({ main: settings }),
    onSettings: () => () => undefined,
    filled: async (given) => given,
    webhookUrl: () => undefined,
    plan: async () => undefined,
    trouble: () => undefined,
    sharesStore: () => false,
    clock,
  };
  const account = startAccount({ name: "main", kind: KINDS.telegram, settings, house, io, log: () => undefined });
  const delivery = createDelivery({
    store,
    clock,
    node: "bench",
    shared: false,
    engine: { session: async (id) => (await store.session(id))?.session, subscribe: () => () => undefined },
    describe: () => [],
    lastState: () => undefined,
    textOf,
    channel: () => ({ deliver: (batch) => account.deliver(batch) }),
    report: () => undefined,
  });
  return {
    delivery,
    async stop() {
      await delivery.stop();
      await account.stop();
    },
  };
}

/** Buckets as vendors have them, and now and then a connection that breaks or an error of the server. */
function limiting(telegram: Parts["telegram"], clock: FakeClock) {
  const chats = new Map<string, { left: number; atMs: number }>();
  let [limited, sends] = [0, 0];
  const isAllowed = (name: string, perSecond: number, size: number): boolean => {
    const known = chats.get(name) ?? { left: size, atMs: clock.now() };
    const left = Math.min(size, known.left + ((clock.now() - known.atMs) / 1_000) * perSecond);
    chats.set(name, { left: left >= 1 ? left - 1 : left, atMs: clock.now() });
    return left >= 1;
  };
  let lastCallAtMs = performance.now();
  telegram.fault((method, params) => {
    lastCallAtMs = performance.now();
    if (method !== "sendMessage") return undefined;
    const chat = String(params["chat_id"]);
    sends += 1;
    if (sends % BREAKS_EVERY === 0) return sends % 2 === 0 ? telegram.takeAndCut(method, params) : "cut";
    if (sends % FAILS_EVERY === 0) return { ok: false, error_code: 500, description: "Internal Server Error" };
    if (isAllowed("", ALL_PER_SECOND, ALL_PER_SECOND) && isAllowed(chat, CHAT_PER_SECOND, 20)) return undefined;
    limited += 1;
    return tooMany(WAIT_SECONDS);
  });
  return { limited: () => limited, busy: () => performance.now() - lastCallAtMs < 5 };
}

const textIn = ({ plain }: TelegramMessage): string => plain.replace(REPEATED, "");

const texts = (messages: readonly TelegramMessage[]): Set<string> =>
  new Set(messages.map((message) => `${message.chatId} ${textIn(message)}`));

/** A message that stands there again where it says that it may be a repetition is neither lost nor out of order. */
function judged(messages: readonly TelegramMessage[]): Omit<Drained, "limited" | "seconds"> {
  const sent = CONVERSATIONS * EACH;
  const seen = new Map<string, number[]>();
  for (const message of messages) {
    const numbers = seen.get(message.chatId) ?? [];
    const n = Number(/^line (\d+)$/.exec(textIn(message))?.[1] ?? Number.NaN);
    const isAgain = REPEATED.test(message.plain) && numbers.at(-1) === n;
    if (!isAgain) numbers.push(n);
    seen.set(message.chatId, numbers);
  }
  const all = [...seen.values()];
  const disordered = all.flatMap((numbers) => numbers.filter((n, at) => n !== at)).length;
  const repeated = messages.filter(({ plain }) => REPEATED.test(plain)).length;
  return { sent, lost: sent - texts(messages).size, disordered, repeated };
}
