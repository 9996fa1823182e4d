/**
 * The store of the simulation: the store in memory behind connections that delay, reorder and lose, on a disk that forgets
 * what was not synced. A write is visible and answered after its sync, as in PostgreSQL and SQLite:
 *
 *   asked ──(lost)──▶ nothing      arrived ──(power loss)──▶ nothing      synced: visible ──(reply lost)──▶ unknown
 */
import { emptyMemory, type Memory, openMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Commit, CommitNotice, CommitResult, CommitSubscriber, Store } from "../../src/store/store.ts";
import { COMMIT_AGE_MS_MAX } from "../../src/store/postgres/commit-statement.ts";
import type { Random } from "../kit/random.ts";
import type { Agenda } from "./agenda.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

/** How the store itself is broken, to see that the simulation notices. */
export type StoreSabotage =
  | "acknowledges-before-sync"
  | "ignores-versions"
  | "forgets-keys"
  | "forgets-outbox"
  | "forgets-timers"
  | "forgets-audit"
  | "writes-half";

/** What a store that cannot be reached throws; anything else is a bug. */
export class ConnectionLost extends Error {}

export type Link = {
  /** The part of calls that are lost, on the way there or back. */
  lossRate: number;
  /** The part of commits that the store does not take, and says so. */
  refusalRate: number;
  latencyMs: number;
  isCut: boolean;
};

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
type Connection = { process: SimulatedProcess; link: Link; isShared: boolean; subscribers: Set<CommitSubscriber> };
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
const TIMEOUT_MS_MAX = 3_000;
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
  const { agenda, random, sabotage } = given;
  const memory = emptyMemory();
  const inner = openMemoryStore(memory);
  const connections = new Set<Connection>();
  let unsynced: Write[] = [];
  let isSyncing = false;
  let powerLosses = 0;
  const kept: Write[] = []; // only where a broken store acknowledges too early
  let keptSynced = 0;

  const call = (method: keyof Store, args: unknown[]): Promise<unknown> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every method is called with the arguments that it was given
    (inner[method] as unknown as AnyMethod)(...args);

  async function apply(write: Write): Promise<void> {
    if (write.method !== "commit") return write.done(await call(write.method, write.args));
    const [commit] = write.args as [Commit];
    if (write.isTimed && !commit.recordOnly && Math.abs(commit.atMs - agenda.now()) > COMMIT_AGE_MS_MAX)
      return write.done(CONFLICT); // as the server does: whoever decided by another time decides again
    given.beforeCommit(commit);
    const result = (await call("commit", [broken(commit, { memory, sabotage, random })])) as CommitResult;
    given.applied({ commit, result, origin: write.origin });
    if (result.status === "committed" && result.events.length > 0) notify(commit, result, write.origin);
    write.done(result);
  }

  function notify(commit: Commit, result: Extract<CommitResult, { status: "committed" }>, origin: string): void {
    const cursors = { first: result.events[0]?.cursor ?? 0, last: result.events.at(-1)?.cursor ?? 0 };
    for (const { process, link, subscribers } of connections) {
      if (link.isCut || subscribers.size === 0) continue;
      const notice: CommitNotice = {
        sessionId: commit.sessionId,
        version: result.version,
        cursors,
        own: origin === process.name,
      };
      const waiting = noticesOf(process);
      waiting.push(notice);
      process.deliver(random.next() * link.latencyMs, () => {
        const first = waiting.shift(); // whichever event comes first, notices keep their order
        if (first !== undefined) for (const { onCommit } of subscribers) onCommit(first);
      });
    }
  }

  async function sync(): Promise<void> {
    isSyncing = false;
    const writes = unsynced;
    unsynced = [];
    keptSynced = kept.length;
    for (const write of writes) await apply(write);
  }

  function arrive(write: Write): void {
    if (sabotage === "acknowledges-before-sync") {
      kept.push(write);
      void apply(write);
    } else unsynced.push(write);
    if (isSyncing) return;
    isSyncing = true;
    const isLazy = sabotage === "acknowledges-before-sync";
    agenda.after(random.next() * (isLazy ? LAZY_SYNC_MS : SYNC_MS), () => void sync());
  }

  function ask({ process, link, isShared }: Connection, method: keyof Store, args: unknown[]): Promise<unknown> {
    const power = powerLosses;
    const chance = random.next();
    const isLostThere = link.isCut || chance < link.lossRate / 2;
    const isLostBack = chance > 1 - link.lossRate / 2;
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        if (method === "commit") resolve(UNKNOWN);
        else reject(new ConnectionLost(`${method}: the connection was lost`));
      };
      const failLater = (): void => void process.deliver(random.next() * TIMEOUT_MS_MAX, fail);
      const withPower = (happen: () => void) => () => (powerLosses === power ? happen() : failLater());
      if (isLostThere) return failLater();
      if (method === "commit" && random.next() < link.refusalRate)
        return void process.deliver(random.next() * link.latencyMs, () => resolve(NOTHING_WRITTEN));
      const latencyMs = random.next() * link.latencyMs;
      if (!WRITES.has(method)) {
        const read = withPower(() => void call(method, args).then(resolve, reject));
        return void process.deliver(latencyMs, read);
      }
      const done = (result: unknown): void => {
        if (isLostBack) return failLater();
        process.deliver(
          random.next() * link.latencyMs,
          withPower(() => resolve(result)),
        );
      };
      const write: Write = { method, args, origin: process.name, isTimed: isShared, done, fail: failLater };
      agenda.after(
        latencyMs,
        withPower(() => arrive(write)),
      );
    });
  }

  return {
    memory,
    connect(process, link, shared) {
      const connection: Connection = { process, link, isShared: shared, subscribers: new Set() };
      connections.add(connection);
      const methods = Object.keys(inner) as (keyof Store)[];
      const asked = methods.map((method) => [method, (...args: unknown[]) => ask(connection, method, args)]);
      const store = Object.fromEntries(asked) as Store;
      if (!shared) return store;
      return {
        ...store,
        subscribe(subscriber) {
          connection.subscribers.add(subscriber);
          return () => void connection.subscribers.delete(subscriber);
        },
      };
    },
    async losePower() {
      powerLosses += 1;
      for (const { fail } of unsynced) fail();
      unsynced = [];
      if (sabotage === "acknowledges-before-sync") {
        kept.length = keptSynced;
        Object.assign(memory, emptyMemory());
        for (const { method, args } of kept) await call(method, args);
      }
      for (const { process, subscribers } of connections)
        for (const { missed } of subscribers) process.deliver(random.next() * TIMEOUT_MS_MAX, missed);
    },
    healed(process) {
      for (const connection of connections)
        if (connection.process === process)
          for (const { missed } of connection.subscribers) process.deliver(random.next() * SYNC_MS, missed);
    },
  };
}

const notices = new WeakMap<SimulatedProcess, CommitNotice[]>();
function noticesOf(process: SimulatedProcess): CommitNotice[] {
  const waiting = notices.get(process) ?? [];
  notices.set(process, waiting);
  return waiting;
}

type Breaking = { memory: Memory; sabotage: StoreSabotage | undefined; random: Random };

/** The commit as a store with this fault would take it. */
function broken(commit: Commit, { memory, sabotage, random }: Breaking): Commit {
  switch (sabotage) {
    case "ignores-versions":
      return { ...commit, expectedVersion: memory.sessions.get(commit.sessionId)?.version ?? 0 };
    case "forgets-keys": {
      const { idempotency: _key, ...rest } = commit;
      return rest;
    }
    case "forgets-outbox":
      return random.next() < 0.2 ? { ...commit, outbox: [] } : commit;
    case "forgets-timers": // the rows are written when an event says so
      return { ...commit, events: commit.events.filter(({ type }) => type !== "timer.set") };
    case "forgets-audit":
      return random.next() < 0.2 ? { ...commit, audit: [] } : commit;
    case "writes-half":
      return random.next() < 0.1 ? { ...commit, events: commit.events.slice(0, 1), artifacts: [] } : commit;
    case "acknowledges-before-sync":
    case undefined:
      return commit;
  }
}
