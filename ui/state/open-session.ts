/**
 * The one session that is open: its transcript, what is being said right now, and its state.
 *
 * The transcript grows by events, and the gateway sends the cards whenever they change. Everything else (turn, plan, title)
 * is read from the gateway when an event says that it changed: one state, decided in one place, no second copy of its rules.
 */
import type { EventPayloads, HoldpointEvent } from "../../src/client/events.ts";
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { HistoryItem, SessionView } from "../../src/protocol/methods.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { Following } from "./calling.ts";
import { type Cell, cell, type Readable } from "./cell.ts";
import { closedAfter, type ClosedCards, NO_CLOSED } from "./closed-cards.ts";
import { gather } from "./gather.ts";
import { planOf } from "./plan-of.ts";
import { joined, NO_QUEUE, type Queue, queueAfter } from "./queue.ts";
import { localizedText } from "../localized/localized-text.ts";

const PAGE = 200;
const RECORD_PAGE = 100;
/** Older entries leave the memory; they are read again when somebody scrolls up to them. */
const ENTRIES_KEPT_MAX = 20_000;
const OUTPUT_CHARS_KEPT_MAX = 65_536;
/** About a frame: whatever comes within it is drawn together. */
const BURST_MS = 16;

export type OpenSession =
  | { status: "none" }
  | { status: "loading"; id: SessionId }
  /** It does not exist, or not any more. */
  | { status: "missing"; id: SessionId }
  | ReadySession;

export type ReadySession = {
  status: "ready";
  id: SessionId;
  session: SessionView;
  plan: PlanModeState | undefined;
  /** In order, without gaps. */
  items: readonly HistoryItem[];
  hasEarlier: boolean;
  /** The answer while it is being written; empty when none is. */
  speech: string;
  /** What running calls printed so far, by call id. */
  outputs: ReadonlyMap<string, string>;
  /** What became of cards that are gone. */
  closed: ClosedCards;
  /** Messages that wait for their turn, as far as they were heard or read; `session.queuedMessages` counts them all. */
  queue: Queue;
};

const EMPTY = {
  status: "ready",
  speech: "",
  outputs: new Map<string, string>(),
  closed: NO_CLOSED,
  queue: NO_QUEUE,
} as const;

export type OpenSessionState = Readable<OpenSession> & {
  open(id: SessionId): Promise<void>;
  close(): void;
  /** Reads a page of older entries. */
  earlier(): Promise<void>;
  /** Looks again at the gateway's state of it. */
  refresh(): Promise<void>;
  /** The session as an answer of the gateway's had it: what it changed is shown before it is read again. */
  answered(session: SessionView): void;
};

export function createOpenSession(client: Following): OpenSessionState {
  const state: Cell<OpenSession> = cell<OpenSession>({ status: "none" });
  const refresh = onceAtATime(read);
  client.on("*", onEvent);

  const changeReady = (id: SessionId, next: (ready: ReadySession) => OpenSession): void =>
    state.change((now) => (now.status === "ready" && now.id === id ? next(now) : now));
  const openId = (): SessionId | undefined => idIn(state.get());

  const hearAll = (events: readonly HoldpointEvent[]): void =>
    state.change((now) => (now.status === "ready" ? heardAll(now, events) : now));
  const burst = gather(hearAll, BURST_MS);

  function know(session: SessionView): void {
    burst.flush(); // the state is never ahead of what led to it
    changeReady(session.id, withSession(session));
  }

  async function read(): Promise<void> {
    const id = openId();
    if (id === undefined) return;
    try {
      const { session } = await client.call("sessions.get", { sessionId: id });
      know(session);
    } catch (error) {
      if (openId() === id && isMissing(error)) return state.set({ status: "missing", id });
      throw error;
    }
  }

  async function load(id: SessionId): Promise<void> {
    const [{ session }, { items, more }] = await readWhole(client, id);
    if (openId() !== id) return;
    state.set({ ...EMPTY, id, session, plan: planOf(session), items, hasEarlier: more });
    if (session.queuedMessages > 0) changeReady(id, withQueue(await recordedQueue(client, id)));
  }

  function onEvent(event: HoldpointEvent): void {
    const id = openId();
    if (id === undefined || event.payload["sessionId"] !== id) return;
    if (event.event === "session.deleted") return state.set({ status: "missing", id });
    if (event.event === "session.reset") return void load(id).catch(() => undefined); // a lost connection loads again
    if (state.get().status === "ready") burst.add(event);
    if (event.cursor !== undefined && event.event !== "entry.appended") void refresh().catch(() => undefined);
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    async open(id) {
      const before = openId();
      if (before === id) return;
      if (before !== undefined) void client.unsubscribe(before).catch(() => undefined);
      state.set({ status: "loading", id });
      try {
        await client.subscribe(id, { onMissed: () => void load(id).catch(() => undefined) });
        await load(id);
      } catch (error) {
        if (!isMissing(error)) throw error;
        if (openId() === id) state.set({ status: "missing", id });
      }
    },
    close() {
      const id = openId();
      state.set({ status: "none" });
      if (id !== undefined) void client.unsubscribe(id).catch(() => undefined);
    },
    async earlier() {
      const now = state.get();
      const page = now.status === "ready" ? await pageBefore(client, now) : undefined;
      if (now.status === "ready" && page !== undefined) changeReady(now.id, withEarlier(page));
    },
    refresh,
    answered: know,
  };
}

const readWhole = ({ call }: Following, sessionId: SessionId) =>
  Promise.all([call("sessions.get", { sessionId }), call("chat.history", { sessionId, limit: PAGE })]);

/** What was said before anybody listened here stands in the record; where it cannot be read, it is counted all the same. */
async function recordedQueue(client: Following, sessionId: SessionId): Promise<Queue> {
  try {
    const { items } = await client.call("sessions.timeline", { sessionId, limit: RECORD_PAGE });
    return items.reduce(queueAfter, NO_QUEUE);
  } catch {
    return NO_QUEUE;
  }
}

/** Together with what was heard while it was read. */
const withQueue =
  (recorded: Queue) =>
  (ready: ReadySession): ReadySession => ({ ...ready, queue: joined(recorded, ready) });

const idIn = (now: OpenSession): SessionId | undefined =>
  now.status === "none" || now.status === "missing" ? undefined : now.id;

/** Unless a newer one is known: an answer may come late. */
const withSession =
  (session: SessionView) =>
  (ready: ReadySession): ReadySession =>
    session.updatedAtMs < ready.session.updatedAtMs ? ready : { ...ready, session, plan: planOf(session) };

type EarlierPage = { firstN: number; items: readonly HistoryItem[]; more: boolean };

async function pageBefore(client: Following, now: ReadySession): Promise<EarlierPage | undefined> {
  const firstN = now.items[0]?.n;
  if (!now.hasEarlier || firstN === undefined) return undefined;
  return { firstN, ...(await client.call("chat.history", { sessionId: now.id, before: firstN, limit: PAGE })) };
}

/** Unless somebody else has read it meanwhile. */
const withEarlier =
  ({ firstN, items, more }: EarlierPage) =>
  (ready: ReadySession): ReadySession =>
    ready.items[0]?.n === firstN ? { ...ready, items: [...items, ...ready.items], hasEarlier: more } : ready;

/** All of them in one go: the transcript is copied once, however many entries there are. */
function heardAll(before: ReadySession, heardNow: readonly HoldpointEvent[]): ReadySession {
  const events = heardNow.filter(({ payload }) => payload["sessionId"] === before.id);
  let ready = before;
  let last = before.items.at(-1)?.n ?? 0;
  const added: HistoryItem[] = [];
  for (const event of events) {
    if (is(event, "entry.appended")) {
      if (event.payload.n <= last) continue; // it came with the history too
      const { n, atMs, entry } = event.payload;
      last = n;
      added.push({ n, atMs, entry });
    }
    ready = heard(ready, event);
  }
  if (added.length === 0) return ready;
  const items = [...before.items, ...added];
  if (items.length <= ENTRIES_KEPT_MAX) return { ...ready, items };
  return { ...ready, items: items.slice(-ENTRIES_KEPT_MAX), hasEarlier: true };
}

/** How the session looks after an event; its state proper is read from the gateway. */
function heard(before: ReadySession, event: HoldpointEvent): ReadySession {
  if (is(event, "session.cards")) return withCards(before, event.payload);
  const queue = queueAfter(before.queue, event);
  const ready = queue === before.queue ? before : { ...before, queue };
  if (is(event, "entry.appended")) return appended(ready, event.payload);
  if (is(event, "turn.delta")) return spoken(ready, event.payload);
  if (is(event, "turn.finished")) return { ...ready, speech: "", outputs: new Map() };
  return ready;
}

/** They come with the commit that changed them, so that nobody waits for the state to be read. */
const withCards = (ready: ReadySession, { cards, closed }: EventPayloads["session.cards"]): ReadySession => ({
  ...ready,
  session: { ...ready.session, cards },
  closed: closedAfter(ready.closed, closed),
});

/** What the entry ends: words that were being said, output that was being printed. */
function appended(ready: ReadySession, { entry }: EventPayloads["entry.appended"]): ReadySession {
  if (entry.kind === "assistant") return { ...ready, speech: "" };
  if (entry.kind !== "result" && entry.kind !== "call-result") return ready;
  const outputs = new Map(ready.outputs);
  outputs.delete(entry.callId);
  return { ...ready, outputs };
}

function spoken(ready: ReadySession, { text, callId, said }: EventPayloads["turn.delta"]): ReadySession {
  if (callId === undefined) {
    return { ...ready, speech: ready.speech + (said === undefined ? text : localizedText(text, said)) };
  }
  const printed = `${ready.outputs.get(callId) ?? ""}${text}`.slice(-OUTPUT_CHARS_KEPT_MAX);
  return { ...ready, outputs: new Map(ready.outputs).set(callId, printed) };
}

const is = <Name extends keyof EventPayloads>(event: HoldpointEvent, name: Name): event is HoldpointEvent<Name> =>
  event.event === name;

const isMissing = (error: unknown): boolean => error instanceof HoldpointError && error.code === "SESSION_NOT_FOUND";

/** However often it is asked for meanwhile, it runs once more after the run under way: the last run saw everything. */
function onceAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    running = work().finally(() => (running = undefined));
    return running;
  };
  return () => {
    if (running === undefined) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
