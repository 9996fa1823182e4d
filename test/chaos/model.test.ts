/** The whole machine against every store: one game of random moves must go the same way on all of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Dispatch } from "../../src/engine/dispatch.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import type { ApprovalId } from "../../src/protocol/ids.ts";
import type { SessionCommand } from "../../src/protocol/session.ts";
import { emptyMemory, openMemoryStore } from "../../src/store/memory/memory-store.ts";

import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { fakeClock, type FakeClock } from "../kit/fake-clock.ts";
import { freshSchema, postgresUrl } from "../kit/postgres.ts";
import { repeated } from "../kit/repetitions.ts";
import { attemptOf, leadUpTo, type Move, moves } from "./machine-moves.ts";
import { openWorld, type StoreKind, type World } from "./machine-worlds.ts";

const GAMES = 6;
const GAMES_IN_MEMORY = 60;
const MOVES_MAX = 40;
const LEAD_UP_MAX = 5;

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "holdpoint-model-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

let places = 0;
const memory: StoreKind = {
  name: "memory",
  shared: false,
  async fresh() {
    const disk = emptyMemory();
    return { open: async () => openMemoryStore(disk) };
  },
};

/** What a request was answered, without the session: a replay shows the session as it is now. */
const answerOf = ({ session: _session, ...answer }: Outcome): unknown => answer;

type Sent = { command: SessionCommand; by: Dispatch; answer: unknown };

/** Plays one game on all worlds at once and compares them after every move. */
async function play(game: readonly Move[], worlds: readonly World[], clock: FakeClock): Promise<void> {
  const sent: Sent[] = [];
  const heldUp: Omit<Sent, "answer">[] = [];

  async function everywhere<Result>(ask: (world: World) => Promise<Result>): Promise<Result> {
    const [first, ...others] = await Promise.all(worlds.map(ask));
    for (const [at, other] of others.entries()) expect(other, `${worlds[at + 1]?.name} differs`).toEqual(first);
    return first as Result;
  }

  async function send({ command, by }: Omit<Sent, "answer">): Promise<void> {
    const before = await everywhere((world) => world.session());
    const answer = await everywhere(async (world) => answerOf(await world.dispatch(command, by)));
    sent.push({ command, by, answer });
    const after = await everywhere((world) => world.session());
    if (!(answer as Outcome).ok) expect(after, "a refusal changes nothing").toEqual(before);
    else if (command.type === "session.rename") expect(after?.title).toBe(command.title);
    else if (command.type === "turn.start") await everywhere((world) => world.turnTaken(command.turnId));
    clock.advance(1);
  }

  async function request(move: Move): Promise<Omit<Sent, "answer"> | undefined> {
    const session = await everywhere((world) => world.session());
    const approvals = (worlds[0]?.history.approvals ?? []) as ApprovalId[];
    const attempt = attemptOf(move, { session, approvals, count: sent.length + heldUp.length });
    if (attempt === undefined) return undefined;
    const key = `k${sent.length}.${heldUp.length}`;
    const by = { actor: attempt.actor, idempotency: { key, requestDigest: JSON.stringify(attempt.command) } };
    return { command: attempt.command, by };
  }

  async function make(move: Move): Promise<void> {
    switch (move.do) {
      case "reopen":
        await everywhere((world) => world.reopen());
        return;
      case "wait":
        clock.leap(move.seconds * 1_000);
        await everywhere(async (world) => (await world.fireDue()).map(answerOf));
        return;
      case "again": {
        const earlier = sent.at(-1 - move.back);
        if (earlier === undefined) return;
        const before = await everywhere((world) => world.session());
        const answer = await everywhere(async (world) => answerOf(await world.dispatch(earlier.command, earlier.by)));
        expect(answer, "[I13] the same request gets the same answer").toEqual(earlier.answer);
        expect(await everywhere((world) => world.session()), "[I13] and has no second effect").toEqual(before);
        return;
      }
      case "hold-up": {
        const late = await request(move.move);
        if (late !== undefined) heldUp.push(late);
        return;
      }
      case "deliver":
        for (const late of heldUp.splice(0).toReversed()) await send(late);
        return;
      default: {
        const made = await request(move);
        if (made !== undefined) await send(made);
      }
    }
  }

  for (const move of game) {
    for (let n = 0; n < LEAD_UP_MAX; n++) {
      const first = leadUpTo(move, await everywhere((world) => world.session()));
      if (first === undefined) break;
      await make(first);
    }
    await make(move);
  }
  const end = (await everywhere((world) => world.all())) as { verdict: { intact: boolean } };
  expect(end.verdict.intact, "[I20] the audit chain is whole").toBe(true);
}

async function playOn(kinds: readonly StoreKind[], game: readonly Move[]): Promise<void> {
  const clock = fakeClock();
  const worlds = await Promise.all(kinds.map((kind) => openWorld(kind, clock)));
  try {
    await play(game, worlds, clock);
  } finally {
    await Promise.all(worlds.map((world) => world.close()));
  }
}

const sqlite: StoreKind = {
  name: "sqlite",
  shared: false,
  async fresh() {
    const state = join(folder, `model-${places++}`);
    return { open: () => openSqliteStore({ folder: state, onFatal: (error) => expect.unreachable(error.message) }) };
  },
};

/** None where no server can be started; the kit says so. */
async function postgresKinds(): Promise<StoreKind[]> {
  const url = await postgresUrl();
  if (url === undefined) return [];
  const fresh = async () => {
    const place = freshSchema(url);
    return { open: () => openPostgresStore(place), dispose: () => place.drop() };
  };
  return [{ name: "postgres", shared: true, fresh }];
}

async function playAll(kinds: readonly StoreKind[], { games, movesMax }: { games: number; movesMax: number }) {
  const property = fc.asyncProperty(moves(movesMax), (game) => playOn(kinds, game));
  const { failed, numRuns, error } = await fc.check(property, repeated(games)).then(explained);
  return { failed, some: numRuns > 0, error };
}

/** The counterexample, shrunk, with the seed that brings it back. */
const explained = (details: fc.RunDetails<[Move[]]>) => ({
  failed: details.failed,
  numRuns: details.numRuns,
  error: details.failed ? fc.defaultReportMessage(details) : undefined,
});
const ALL_WELL = { failed: false, some: true, error: undefined };

it("[QA-01] [PL-12] plays every random game the same way on memory, SQLite and PostgreSQL, and breaks no invariant", async () => {
  const kinds = [memory, sqlite, ...(await postgresKinds())];
  expect(await playAll(kinds, { games: GAMES, movesMax: MOVES_MAX })).toEqual(ALL_WELL);
});

it("[QA-01] plays many more games in memory", async () => {
  expect(await playAll([memory], { games: GAMES_IN_MEMORY, movesMax: MOVES_MAX * 2 })).toEqual(ALL_WELL);
});
