/**
 * Kill -9 at random moments under load, again and again on the same state. After each restart everything that was
 * acknowledged is looked for; at the end of each state all work must come to rest by itself.
 */
import { gatewayChild, type GatewayChild } from "../kit/gateway-child.ts";
import { seeded } from "../kit/random.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";
import { killAtCall } from "./disk-faults.ts";
import { createKnowledge, type Knowledge } from "./knowledge.ts";
import { type Person, work } from "./people.ts";
import { throwAwayPlace } from "./place.ts";
import { verify } from "./verify.ts";

const PEOPLE = 4;
/** How long a gateway lives, in requests that people have sent or had answered: the same on a slow machine. */
const LIFE_STEPS_MAX = 120;
/** A state is thrown away after so many kills, so that checking it stays quick however long the run. */
const KILLS_PER_STATE = 20;
const WRITES = ["pwrite64", "fdatasync", "write"] as const;
const WRITE_STEPS_MAX = 200;

export type KillReport = {
  cycles: number;
  acknowledged: number;
  unanswered: number;
  mutations: number;
  unknown: number;
  readyMs: number[];
  faults: string[];
};

export type KillParts = {
  cycles: number;
  seed: number;
  /** At a random moment, or at the nth write or sync to the disk: 1, 2, 3, … */
  at: "random" | "write";
  progress?: (report: KillReport) => void;
};

export async function killCycles({ cycles, seed, at, progress }: KillParts): Promise<KillReport> {
  const report: KillReport = {
    cycles: 0,
    acknowledged: 0,
    unanswered: 0,
    mutations: 0,
    unknown: 0,
    readyMs: [],
    faults: [],
  };
  while (report.cycles < cycles) {
    const kills = Math.min(KILLS_PER_STATE, cycles - report.cycles);
    await oneState({ kills, seed: seed + report.cycles, at, report });
    progress?.(report);
  }
  return report;
}

type StateParts = { kills: number; seed: number; at: KillParts["at"]; report: KillReport };

async function oneState({ kills, seed, at, report }: StateParts): Promise<void> {
  const place = await throwAwayPlace();
  const knowledge = createKnowledge();
  const random = seeded(seed);
  const people: Person[] = Array.from({ length: PEOPLE }, (_, n) => ({ name: `p${seed}-${n}`, own: [] }));
  const counted = { mutations: 0, unknown: 0 };
  for (let kill = 0; kill <= kills; kill++) {
    const gateway = await gatewayChild(place);
    report.readyMs.push(gateway.readyMs);
    if (kill > 0) await inspect({ gateway, knowledge, workspace: place.workspace, report, counted, seed, kill });
    if (kill === kills)
      await comeToRest({ gateway, knowledge, workspace: place.workspace, report, counted, seed, kill });
    else {
      const clients = await Promise.all(people.map(() => wireClient(gateway)));
      const working = people.map((person, n) => work(person, clients[n] as never, { knowledge, random }));
      if (at === "random") await liveFor(random.below(LIFE_STEPS_MAX), gateway, knowledge);
      else await dieAtWrite(gateway, { cycle: report.cycles, knowledge });
      await gateway.kill();
      await Promise.all(working);
      report.cycles += 1;
    }
  }
  report.acknowledged += knowledge.ledger.acknowledged;
  report.unanswered += knowledge.ledger.unanswered;
  report.mutations += counted.mutations;
  report.unknown += counted.unknown;
  if (report.faults.length === 0) await place.remove();
}

/** Cycle by cycle one call further, and all kinds of calls in turn. One that so much work does not make is no fault. */
async function dieAtWrite(gateway: GatewayChild, parts: { cycle: number; knowledge: Knowledge }): Promise<void> {
  const { cycle, knowledge } = parts;
  const call = WRITES[cycle % WRITES.length] ?? "pwrite64";
  await killAtCall(gateway.pid, { call, nth: 1 + Math.floor(cycle / WRITES.length) });
  await liveFor(WRITE_STEPS_MAX, gateway, knowledge);
}

async function liveFor(steps: number, gateway: GatewayChild, { ledger }: Knowledge): Promise<void> {
  await Promise.race([gateway.exited, ledger.steps(steps)]);
}

type Inspection = {
  gateway: GatewayChild;
  knowledge: Knowledge;
  workspace: string;
  report: KillReport;
  counted: { mutations: number; unknown: number };
  seed: number;
  kill: number;
};

async function inspect(inspection: Inspection, atRest = false): Promise<void> {
  const { gateway, knowledge, workspace, report, counted, seed, kill } = inspection;
  const client = await wireClient(gateway);
  const { faults, mutations, unknown } = await verify({ client, knowledge, workspace, atRest });
  counted.mutations = mutations;
  counted.unknown = unknown;
  report.faults.push(...faults.map((fault) => `seed ${seed}, kill ${kill}: ${fault}`));
  client.close();
}

/** Looks again whenever something happened. A session that never ends its turn is a hang, which the test's limit ends. */
async function idle(client: WireClient, sessionId: string): Promise<void> {
  let happened = 0;
  let wake: (() => void) | undefined;
  const stop = client.onEvent(() => {
    happened += 1;
    wake?.();
  });
  await client.must("sessions.subscribe", { sessionId });
  for (;;) {
    const before = happened;
    const { session } = await client.must("sessions.get", { sessionId });
    if (session.turn.status === "idle") break;
    if (happened === before) await new Promise<void>((resolve) => (wake = resolve));
  }
  stop();
  await client.must("sessions.unsubscribe", { sessionId });
}

/** With nobody clicking, every session ends up idle; then nothing may be left half done. */
async function comeToRest(parts: Inspection): Promise<void> {
  const { gateway, knowledge, report, seed } = parts;
  const client = await wireClient(gateway);
  for (const sessionId of knowledge.sessions) await idle(client, sessionId);
  client.close();
  await inspect(parts, true);
  gateway.signal("SIGTERM");
  const how = await gateway.exited;
  if (how !== 0) report.faults.push(`seed ${seed}: SIGTERM ended with ${how}`);
}
