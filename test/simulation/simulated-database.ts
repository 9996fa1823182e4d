/**
 * The store of the simulation: the store in memory behind connections that delay, reorder and lose, on a disk that forgets
 * what was not synced. A write is visible and answered after its sync, as in PostgreSQL and SQLite:
 *
 *   asked ──(lost)──▶ nothing      arrived ──(power loss)──▶ nothing      synced: visible ──(reply lost)──▶ unknown
 */
import { RefusalError } from "../../src/protocol/refusal.ts";
import { emptyMemory, type Memory, openMemoryStore } from "../../src/store/memory/memory-store.ts";
import { COMMIT_AGE_MS_MAX } from "../../src/store/postgres/commit-statement.ts";
import type { Commit, CommitNotice, CommitResult, CommitSubscriber, Store } from "../../src/store/store.ts";
import type { Random } from "../kit/random.ts";
import type { Agenda } from "./agenda.ts";
import type { Link } from "./link.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { sabotaged, type StoreSabotage } from "./store-sabotage.ts";

/** What a store that cannot be reached throws, as PostgreSQL's does; anything else is a bug. */
export class ConnectionLost extends RefusalError {
  constructor(method: string) {
    super({ code: "STORE_UNAVAILABLE", message: `${method}: the connection was lost`, retry: true });
  }
}

export type Applied = { commit: Commit; result: CommitResult; origin: string };

type Given = {
  agenda: Agenda;
  random: Random;
  sabotage?: StoreSabotage | undefined;
  beforeCommit(commit: Commit): void;
  applied(applied: Applied): void;
};

export type SimulatedDatabase = {
  memory: Memory;
  /** `shared`: other processes commit as well, and notices of commits are sent. */
  connect(process: SimulatedProcess, link: Link, shared: boolean): Store;
  /** What was not synced is gone, and so is every answer on its way. */
  losePower(): Promise<void>;
  /** A connection that was cut is there again: notices may have been missed. */
  healed(process: SimulatedProcess): void;
};

type Write = {
  method: keyof Store;
  args: unknown[];
  origin: string;
  isTimed: boolean;
  done(result: unknown): void;
  fail(): void;
};
type Connection = {
  process: SimulatedProcess;
  link: Link;
  isShared: boolean;
  subscribers: Set<CommitSubscriber>;
  /** On their way, in their order. */
  notices: CommitNotice[];
};
type Server = Given & {
  memory: Memory;
  inner: Store;
  connections: Set<Connection>;
  unsynced: Write[];
  isSyncing: boolean;
  powerLosses: number;
  /** Only where a broken store acknowledges too early: what it took, and how much of it was synced. */
  taken: Write[];
  takenSynced: number;
};
type AnyMethod = (...args: unknown[]) => Promise<unknown>;

const WRITES: ReadonlySet<string> = new Set<keyof Store>([
  "commit",
  "effectDone",
  "claimOrder",
  "renewOrder",
  "orderWaits",
  "orderDone",
]);
const SYNC_MS = 4;
const LAZY_SYNC_MS = 2_000;
export const TIMEOUT_MS_MAX = 3_000;
const CONFLICT: CommitResult = { status: "conflict" };
const NOTHING_WRITTEN: CommitResult = {
  status: "failed",
  failure: { reason: "unreachable", outcome: "nothing-written", message: "The store is busy." },
};
const UNKNOWN: CommitResult = {
  status: "failed",
  failure: { reason: "unreachable", outcome: "unknown", message: "The connection was lost." },
};

export function createSimulatedDatabase(given: Given): SimulatedDatabase {
  const memory = emptyMemory();
  const server: Server = {
    ...given,
    memory,
    inner: openMemoryStore(memory),
    connections: new Set(),
    unsynced: [],
    isSyncing: false,
    powerLosses: 0,
    taken: [],
    takenSynced: 0,
  };
  return {
    memory,
    connect: (process, link, shared) => connect(server, { process, link, isShared: shared }),
    losePower: () => losePower(server),
    healed(process) {
      for (const connection of server.connections)
        if (connection.process === process) missed(connection, server.random.next() * SYNC_MS);
    },
  };
}

function connect(server: Server, at: Pick<Connection, "process" | "link" | "isShared">): Store {
  const connection: Connection = { ...at, subscribers: new Set(), notices: [] };
  server.connections.add(connection);
  const methods = Object.keys(server.inner) as (keyof Store)[];
  const asked = methods.map((method) => [method, (...args: unknown[]) => ask(server, connection, { method, args })]);
  const store = Object.fromEntries(asked) as Store;
  if (!at.isShared) return store;
  return {
    ...store,
    subscribe(subscriber) {
      connection.subscribers.add(subscriber);
      return () => void connection.subscribers.delete(subscriber);
    },
  };
}

type Asked = Pick<Write, "method" | "args">;

function ask(server: Server, { process, link, isShared }: Connection, asked: Asked): Promise<unknown> {
  const { random, agenda, powerLosses: power } = server;
  const { method } = asked;
  const chance = random.next();
  const isLostThere = link.isCut || chance < link.lossRate / 2;
  const isLostBack = chance > 1 - link.lossRate / 2;
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      if (method === "commit") resolve(UNKNOWN);
      else reject(new ConnectionLost(method));
    };
    const failLater = (): void => void process.deliver(random.next() * TIMEOUT_MS_MAX, fail);
    const withPower = (happen: () => void) => () => (server.powerLosses === power ? happen() : failLater());
    if (isLostThere) return failLater();
    const latencyMs = random.next() * link.latencyMs;
    if (method === "commit" && random.next() < link.refusalRate)
      return void process.deliver(latencyMs, () => resolve(NOTHING_WRITTEN));
    const read = (): void => void call(server, asked).then(resolve, reject);
    if (!WRITES.has(method)) return void process.deliver(latencyMs, withPower(read));
    const answered = (result: unknown) => withPower(() => resolve(result));
    const done = (result: unknown): void =>
      isLostBack ? failLater() : void process.deliver(random.next() * link.latencyMs, answered(result));
    const write: Write = { ...asked, origin: process.name, isTimed: isShared, done, fail: failLater };
    const arriving = withPower(() => arrive(server, write));
    agenda.after(latencyMs, arriving);
  });
}

const call = ({ inner }: Server, { method, args }: Asked): Promise<unknown> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every method is called with the arguments that it was given
  (inner[method] as unknown as AnyMethod)(...args);

function arrive(server: Server, write: Write): void {
  const { agenda, random, sabotage } = server;
  const isLazy = sabotage === "acknowledges-before-sync";
  if (isLazy) {
    server.taken.push(write);
    void apply(server, write);
  } else server.unsynced.push(write);
  if (server.isSyncing) return;
  server.isSyncing = true;
  agenda.after(random.next() * (isLazy ? LAZY_SYNC_MS : SYNC_MS), () => void sync(server));
}

async function sync(server: Server): Promise<void> {
  server.isSyncing = false;
  const writes = server.unsynced;
  server.unsynced = [];
  server.takenSynced = server.taken.length;
  for (const write of writes) await apply(server, write);
}

async function apply(server: Server, write: Write): Promise<void> {
  const { agenda, memory, sabotage, random } = server;
  if (write.method !== "commit") return write.done(await call(server, write));
  const [commit] = write.args as [Commit];
  if (write.isTimed && !commit.recordOnly && Math.abs(commit.atMs - agenda.now()) > COMMIT_AGE_MS_MAX)
    return write.done(CONFLICT); // as the server does: whoever decided by another time decides again
  server.beforeCommit(commit);
  const args = [sabotaged(commit, { memory, sabotage, random })];
  const result = (await call(server, { method: "commit", args })) as CommitResult;
  server.applied({ commit, result, origin: write.origin });
  if (result.status === "committed" && result.events.length > 0)
    notify(server, commit, { result, origin: write.origin });
  write.done(result);
}

type Done = { result: Extract<CommitResult, { status: "committed" }>; origin: string };

function notify({ connections, random }: Server, { sessionId }: Commit, { result, origin }: Done): void {
  const { version, events } = result;
  const cursors = { first: events[0]?.cursor ?? 0, last: events.at(-1)?.cursor ?? 0 };
  for (const { process, link, subscribers, notices } of connections) {
    if (link.isCut || subscribers.size === 0) continue;
    notices.push({ sessionId, version, cursors, own: origin === process.name });
    process.deliver(random.next() * link.latencyMs, () => {
      const first = notices.shift(); // whichever event comes first, notices keep their order
      if (first !== undefined) for (const { onCommit } of subscribers) onCommit(first);
    });
  }
}

async function losePower(server: Server): Promise<void> {
  server.powerLosses += 1;
  for (const { fail } of server.unsynced) fail();
  server.unsynced = [];
  if (server.sabotage === "acknowledges-before-sync") {
    server.taken.length = server.takenSynced;
    Object.assign(server.memory, emptyMemory());
    for (const write of server.taken) await call(server, write);
  }
  for (const connection of server.connections) missed(connection, server.random.next() * TIMEOUT_MS_MAX);
}

function missed({ process, subscribers }: Connection, afterMs: number): void {
  process.deliver(afterMs, () => {
    for (const subscriber of subscribers) subscriber.missed();
  });
}
