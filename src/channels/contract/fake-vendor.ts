/** What the contract needs of a vendor's fake server, and an account of ours that runs against it. */
import { onTestFinished } from "vitest";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import type {
  AccountHold,
  ChannelEvent,
  ChannelIo,
  ChannelOutcome,
  DeliveryItem,
  DeliveryResult,
} from "../../plugins/sdk.ts";
import { type Account, type AccountStatus, startAccount } from "../bridge/account.ts";
import type { ChannelsHouse, PlanText } from "../bridge/house.ts";
import { type Kind, KINDS } from "../kinds.ts";
import type { Capabilities } from "../port.ts";
import type { ChannelSettings } from "../protocol/settings.ts";

/** A message as it stands in a conversation at the vendor. */
export type SeenMessage = {
  id: string;
  /** As a person sees it: without marks and escapes. */
  text: string;
  /** As it was sent. */
  raw: string;
  buttons: { label: string; data: string }[];
  file?: { name: string; text: string } | undefined;
};

export type Writing = {
  /** The vendor's id of the person. */
  person?: string;
  name?: string;
  /** Absent: the direct conversation with the person. */
  group?: string;
  /** Whether we are named in it. */
  mentions?: boolean;
  replyTo?: string;
  /** In this thread of the group, as the vendor's wire names it. */
  thread?: string;
  /** Sent along. */
  file?: { name: string; text: string };
};

export type Threads =
  /** Why the vendor's wire has none. */
  | { none: string }
  | {
      /** Two threads of the group -600, as the wire names them. */
      names: readonly [string, string];
      /** All messages of ours in their order, each with the thread that its own request named. */
      sent(): { text: string; thread: string | undefined }[];
    };

/** Faithful to the vendor's wire: it refuses what the vendor refuses, limits included. */
export type FakeVendor = {
  /** The conversation of this person, or this group, as events and deliveries name it. */
  conversation(of: Pick<Writing, "person" | "group">): string;
  write(text: string, from?: Writing): void;
  press(message: SeenMessage, button: number, from?: Writing): void;
  /** What was not acknowledged is sent again; of what was, the last `count` events come again too. */
  sendAgain(count: number): void;
  /** How many events were acknowledged to the vendor; `cursor`: what the channel noted, for vendors that are asked from there on. */
  acknowledged(cursor: string | undefined): number;
  messages(conversation: string): SeenMessage[];
  threads: Threads;
  /** Short answers to clicks, in their order. */
  toasts(): string[];
  /** Answers the next sends with "too many, wait so long". */
  limit(afterMs: number, times: number): void;
  /** The connection of the next send breaks: before the vendor took it, or after. */
  cut(when: "before" | "after"): void;
  /** Refuses files. */
  refuseFiles(): void;
  /** Takes a message away, as a person can. */
  remove(conversation: string, messageId: string): void;
  /** Fills in the form of the vendor's own that belongs to a button. */
  submit?(message: SeenMessage, button: number, filled: Writing & { words: string }): Promise<void>;
  /** The vendor's id of the group that the contract calls so. */
  groupId?(name: string): string;
  /** How requests of the vendor reach the account; absent where it makes none. */
  attach?(webhook: Account["webhook"]): void;
  /** How the vendor tells who connects what people write: when it is asked, or on a connection that stays open. Undefined: it calls us. */
  tells?: Exclude<Way, "webhook"> | undefined;
  /** So much time passes at the vendor, where it matters how old a message is. */
  pass?(ms: number): void;
  /** What is found in a text without our marks, at a vendor that reads its format otherwise than the format's first one. */
  meanings?(foreign: string): string[];
  /** Connections that the channel holds open. */
  connections(): number;
  close(): Promise<void>;
};

/** A way in. */
export type Way = Capabilities["inbound"][number];

export type VendorWorld = { settings: ChannelSettings; vendor: FakeVendor };

export type Running = {
  vendor: FakeVendor;
  account: Account;
  kind: Kind;
  clock: ReturnType<typeof fakeClock>;
  /** Events as the gateway received them; one with a known id is not added again. */
  events: ChannelEvent[];
  /** How often each event came. */
  times: Map<string, number>;
  /** What the gateway answers; the last one is used for ever. */
  answers(outcome: Answering): void;
  deliver(conversation: string, items: readonly DeliveryItem[]): Promise<DeliveryResult>;
  setPlan(plan: PlanText | undefined): void;
  warnings: string[];
  acknowledged(): number;
  /** How many requests of the vendor were taken. */
  requests(): number;
  status(): AccountStatus;
  /** Ends the account and starts it again, with what it noted. */
  restart(): Promise<void>;
  /** Starts the same account on a second gateway with the same store. */
  beside(): Promise<Account>;
  /** The gateway of this number serves the account from now on; the first one is 0. */
  passTo(gateway: number): void;
};

export type RunningWith = { groups?: Partial<ChannelSettings["groups"]> };

/** What the id of somebody whom nobody knows holds. */
const STRANGER = "666";

type Answering = (event: ChannelEvent) => ChannelOutcome | Promise<ChannelOutcome>;
const silent: Answering = () => ({ kind: "dropped" });

/** Waits for the account to run. */
export async function running(world: VendorWorld, change: RunningWith = {}): Promise<Running> {
  const { vendor } = world;
  const { allow, ...groups } = { ...world.settings.groups, ...change.groups };
  const listed = allow.map((name) => vendor.groupId?.(name) ?? name);
  const settings = { ...world.settings, groups: { ...groups, allow: listed } };
  const clock = fakeClock(Date.UTC(2026, 0, 5, 9));
  const notes = new Map<string, string>();
  const [events, times, warnings]: [ChannelEvent[], Map<string, number>, string[]] = [[], new Map(), []];
  let answer = silent;
  let plan: PlanText | undefined;
  const [kind, holds] = [KINDS[settings.kind], createFakeHolds()];
  let [gateways, requests] = [0, 0];
  const io: Omit<ChannelIo, "hold"> = {
    async receive(event) {
      times.set(event.eventId, (times.get(event.eventId) ?? 0) + 1);
      const outcome = await answer(event);
      if (!events.some(({ eventId }) => eventId === event.eventId)) events.push(event);
      return outcome;
    },
    mayWrite: async (_account, { id }) => !id.includes(STRANGER),
    ...NO_PLACES,
    notes: fakeNotes(notes),
  };
  const house: ChannelsHouse = {
    ...fakeHouse(settings, warnings),
    plan: async () => plan,
    sharesStore: () => gateways > 1,
    clock,
  };
  const log = (level: string, message: string): void => void (level === "info" ? 0 : warnings.push(message));
  const start = async (): Promise<Account> => {
    const own = holds.hold(gateways++);
    const started = startAccount({ name: "main", kind, settings, house, io: { ...io, hold: async () => own }, log });
    vendor.attach?.(counting(started, () => void (requests += 1)));
    while (started.status().state === "starting") await new Promise((resolve) => setImmediate(resolve));
    return started;
  };
  let account = await start();
  onTestFinished(async () => {
    await account.stop();
    await vendor.close();
  });
  return {
    vendor,
    account,
    acknowledged: () => vendor.acknowledged(notes.get("main cursor")),
    requests: () => requests,
    async restart() {
      await account.stop();
      gateways = 0;
      account = await start();
    },
    async beside() {
      const second = await start();
      onTestFinished(() => second.stop());
      return second;
    },
    passTo: holds.passTo,
    status: () => account.status(),
    kind,
    clock,
    events,
    times,
    warnings,
    answers: (given) => void (answer = given),
    setPlan: (given) => void (plan = given),
    deliver: (conversation, items) =>
      account.deliver({ place: { account: "main", conversation }, items, signal: new AbortController().signal }),
  };
}

/** Requests of the vendor to an account, those that it takes counted. */
const counting =
  (account: Account, took: () => void): Account["webhook"] =>
  async (request) => {
    const answer = await account.webhook(request);
    if (answer.status < 300) took();
    return answer;
  };

const NO_PLACES = {
  follow: async () => undefined,
  unfollow: async () => undefined,
  resume: () => undefined,
  pageOf: () => undefined,
};

const fakeHouse = (settings: ChannelSettings, warnings: string[]) => ({
  settings: () => ({ main: settings }),
  onSettings: () => () => undefined,
  filled: async (given: ChannelSettings) => given,
  webhookUrl: (kind: string, name: string) => `https://gateway.example/hooks/${kind}/${name}`,
  trouble: (_account: string, problem: string | undefined) => void (problem === undefined ? 0 : warnings.push(problem)),
});

const fakeNotes = (notes: Map<string, string>): ChannelIo["notes"] => ({
  get: async (account, key) => notes.get(`${account} ${key}`),
  set: async (account, key, note) =>
    void (note === null ? notes.delete(`${account} ${key}`) : notes.set(`${account} ${key}`, note.value)),
  async add(account, key, { value }) {
    if (notes.has(`${account} ${key}`)) return false;
    notes.set(`${account} ${key}`, value);
    return true;
  },
});

/** Who serves, where several gateways share a store: told by the test. */
function createFakeHolds() {
  const listeners = new Set<() => void>();
  let serving = 0;
  return {
    hold: (gateway: number): AccountHold => ({
      isHere: () => serving === gateway,
      holder: () => `gateway ${serving}`,
      onChange: (listener) => void listeners.add(listener),
      release: async () => undefined,
    }),
    passTo(gateway: number): void {
      serving = gateway;
      for (const listener of listeners) listener();
    },
  };
}
