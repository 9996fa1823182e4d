/** Random interleavings of everything that callers, turns, clocks and crashes can do, against an oracle of its own. */
import { array, assert, constantFrom, nat, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { agent, coreWorld, type CoreWorld, create, messageId } from "../../../test/kit/core.ts";
import { CallerId, type TurnId } from "../../protocol/ids.ts";
import { Session, type SessionCommand, type SessionEvent } from "../../protocol/session.ts";
import { CALLERS_TIMER, deadlineOf } from "./caller-ends.ts";

const LEASE_MS = 10_000;
const KEPT_MS = 60_000;

type Proof = { turnId: TurnId; epoch: number } | { caller: { id: CallerId; epoch: number } };
/** What the outside knows, from answers and facts alone. */
type Known = {
  world: CoreWorld;
  /** Every proof of life that anybody ever held, and every call that was ever opened. */
  proofs: Proof[];
  calls: string[];
  /** Per caller: the lease that is good at the moment, or none. */
  leases: Map<string, { epoch: number; untilMs: number }>;
  epochs: Set<number>;
  turnEpoch: number;
  claimed: Set<string>;
  closed: Map<string, string>;
  count: number;
  resumed: number;
  /** Claims and results that were refused because their lease was over. */
  lost: number;
};

type Move = { what: keyof typeof MOVES; a: number; b: number };

const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)];

function begin(): Known {
  const world = coreWorld();
  world.must(create);
  world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
  const known: Known = {
    world,
    proofs: [],
    calls: [],
    leases: new Map(),
    epochs: new Set(),
    turnEpoch: 0,
    claimed: new Set(),
    closed: new Map(),
    count: 0,
    resumed: 0,
    lost: 0,
  };
  startTurn(known);
  return known;
}

function startTurn(known: Known): void {
  const { world } = known;
  if (world.session?.turn.status === "idle")
    world.must({ type: "message.send", messageId: messageId(++known.count), text: "go" });
  const turn = world.session?.turn;
  if (turn === undefined || turn.status === "idle") return;
  const node = `n${++known.count}`;
  const { turnId } = turn;
  run(known, { type: "turn.start", turnId, node, leaseUntilMs: world.nowMs + LEASE_MS, sole: true });
  known.proofs.push({ turnId, epoch: world.session?.epoch ?? 0 });
}

/** Carries a command out, and holds every fact that it caused against what may be. */
function run(known: Known, command: SessionCommand): SessionEvent[] {
  const { world } = known;
  const actsOn = command.type === "call.claim" || command.type === "call.finish" ? command : undefined;
  const isLive = actsOn === undefined || isGood(known, actsOn);
  const wasClosed = actsOn !== undefined && known.closed.has(actsOn.callId);
  const done = world.run(command, agent);
  if ("refused" in done) {
    if (!isLive && actsOn !== undefined && known.calls.includes(actsOn.callId)) known.lost += 1;
    return [];
  }
  expect(isLive, `${command.type} under a lease that is over`).toBe(true);
  expect(wasClosed, `${command.type} of a call that is closed`).toBe(false);
  for (const event of done.events) take(known, event);
  if (world.session !== undefined) holdsTogether(world.session);
  return done.events;
}

function holdsTogether(session: Session): void {
  expect(Session.parse(session)).toEqual(session);
  if (session.callers === undefined) return;
  const rings = session.timers.find(({ key }) => key === CALLERS_TIMER)?.atMs ?? Number.POSITIVE_INFINITY;
  expect(rings, "the timer rings in time for everybody").toBeLessThanOrEqual(
    Math.min(...session.callers.map(deadlineOf)),
  );
}

/** An epoch is new, or its holder goes on with it. */
function takeEpoch({ leases, epochs, world }: Known, id: CallerId, epoch: number): void {
  const lease = leases.get(id);
  const goesOn = lease?.epoch === epoch && lease.untilMs > world.nowMs;
  expect(goesOn || !epochs.has(epoch), `epoch ${epoch} is given twice`).toBe(true);
  epochs.add(epoch);
}

function isGood({ leases, turnEpoch, world }: Known, proof: Proof): boolean {
  if (!("caller" in proof)) return proof.epoch === turnEpoch;
  const lease = leases.get(proof.caller.id);
  return lease !== undefined && lease.epoch === proof.caller.epoch && lease.untilMs > world.nowMs;
}

function take(known: Known, event: SessionEvent): void {
  const { leases, claimed, closed } = known;
  switch (event.type) {
    case "caller.opened": {
      const { id, epoch, life } = event.caller;
      takeEpoch(known, id, epoch);
      if (life.status === "running") leases.set(id, { epoch, untilMs: life.leaseUntilMs });
      known.proofs.push({ caller: { id, epoch } });
      return;
    }
    case "caller.resumed":
      known.resumed += 1;
      takeEpoch(known, event.callerId, event.epoch);
      leases.set(event.callerId, { epoch: event.epoch, untilMs: event.leaseUntilMs });
      known.proofs.push({ caller: { id: event.callerId, epoch: event.epoch } });
      return;
    case "caller.renewed": {
      const lease = leases.get(event.callerId);
      if (lease !== undefined) leases.set(event.callerId, { ...lease, untilMs: event.leaseUntilMs });
      return;
    }
    case "caller.closed":
      leases.delete(event.caller.id);
      return;
    case "turn.started":
    case "turn.taken-over":
      known.turnEpoch = event.epoch;
      return;
    case "call.claimed":
      expect(claimed.has(event.callId), `${event.callId} starts twice`).toBe(false);
      expect(closed.has(event.callId), `${event.callId} starts after its end`).toBe(false);
      claimed.add(event.callId);
      return;
    case "call.closed":
      expect(closed.has(event.callId), `${event.callId} ends twice`).toBe(false);
      closed.set(event.callId, event.status);
      return;
    default: // the rest tells nothing about leases and calls
  }
}

/** Mostly one that fits the call, of now or of before; sometimes anybody's. */
function proofFor({ proofs }: Known, callId: string, a: number): Proof | undefined {
  if (a % 8 === 0) return pick(proofs, a);
  const [holder = ""] = callId.split("/");
  const fits = (proof: Proof): boolean => ("caller" in proof ? proof.caller.id === holder : !callId.includes("/"));
  return pick(proofs.filter(fits).slice(-3), a);
}

const callerId = (n: number): CallerId => CallerId.parse(`clr_${n % 6}`);
const leaseOf = ({ world }: Known, a: number) => ({ node: `n${a % 3}`, leaseUntilMs: world.nowMs + LEASE_MS });

/** A proof of a caller's own, however old. */
function ownProof({ proofs }: Known, a: number) {
  const proof = pick(proofs, a);
  return proof !== undefined && "caller" in proof ? proof : undefined;
}

/** The turn's newest proof, mostly. */
function turnProof({ proofs }: Known, a: number) {
  const turns = proofs.flatMap((proof) => ("caller" in proof ? [] : [proof]));
  return pick(turns.slice(a % 4 === 0 ? -2 : -1), a);
}

/** In a call that is open, most of the time: a cell in any other is refused. */
function cellPlace(known: Known, a: number, b: number) {
  const { world, calls } = known;
  const turn = world.session?.turn;
  const open = turn?.status === "running" ? turn.calls.map((call) => call.callId) : [];
  const proof = turnProof(known, a);
  if (proof === undefined) return undefined;
  const parent = { turnId: proof.turnId, callId: pick(open, b) ?? pick(calls, b) ?? "none" };
  return { callerId: callerId(a), parent, turnEpoch: proof.epoch, ...leaseOf(known, a) };
}

type Play = (known: Known, a: number, b: number) => void;

const MOVES = {
  say(known, a) {
    const proof = turnProof(known, a);
    if (proof === undefined) return;
    const made = ["x", "y"].map((name) => ({ callId: `${name}${++known.count}`, tool: "write", args: {} }));
    const events = run(known, { type: "turn.say", ...proof, text: "", calls: made });
    if (events.length > 0) known.calls.push(...made.map((call) => call.callId));
  },
  "open external"(known, a) {
    const caller = { kind: "external", callerId: callerId(a), connection: "con" } as const;
    run(known, { type: "caller.open", ...caller, ...leaseOf(known, a) });
  },
  "open cell"(known, a, b) {
    const place = cellPlace(known, a, b);
    if (place !== undefined) run(known, { type: "caller.open", kind: "cell", ...place });
  },
  resume(known, a, b) {
    const place = cellPlace(known, a, b);
    const callers = known.world.session?.callers ?? [];
    const cell = pick(
      callers.filter(({ life }) => b % 8 === 0 || life.status !== "running"),
      a,
    );
    if (place === undefined || cell === undefined) return;
    const held = b % 3 === 0 ? { epoch: cell.epoch } : {};
    run(known, { type: "caller.resume", ...place, callerId: cell.id, sole: b % 2 === 0, ...held });
  },
  call(known, a) {
    const own = ownProof(known, a);
    if (own === undefined) return;
    for (const event of run(known, { type: "call.open", ...own, tool: "write", args: {} }))
      if (event.type === "call.opened") known.calls.push(event.callId);
  },
  claim(known, a, b) {
    const callId = pick(known.calls.slice(-8), b) ?? "none";
    const proof = proofFor(known, callId, a);
    if (proof !== undefined) run(known, { type: "call.claim", ...proof, callId, kind: "file_edit", argsDigest: "d" });
  },
  finish(known, a, b) {
    const callId = pick(known.calls.slice(-8), b) ?? "none";
    const proof = proofFor(known, callId, a);
    if (proof !== undefined) run(known, { type: "call.finish", ...proof, callId, status: "ok", content: null });
  },
  renew(known, a) {
    const own = ownProof(known, a);
    const { leaseUntilMs } = leaseOf(known, a);
    if (own !== undefined) run(known, { type: "caller.renew", ...own, leaseUntilMs });
  },
  suspend(known, a, b) {
    const { world } = known;
    const cell = world.session?.callers?.find(({ kind }) => b % 2 === 0 && kind === "cell");
    const own = cell === undefined ? ownProof(known, a) : { caller: { id: cell.id, epoch: cell.epoch } };
    if (own !== undefined) run(known, { type: "caller.suspend", ...own, keptUntilMs: world.nowMs + KEPT_MS });
  },
  close(known, a, b) {
    const own = ownProof(known, a);
    if (own !== undefined && b % 4 === 0) run(known, { type: "caller.close", ...own });
  },
  wait: ({ world }, a) => void (world.nowMs += (a % 8) * 1_000),
  ring,
  "take over"(known, _a, b) {
    if (b % 4 === 0) startTurn(known);
  },
  "finish turn"(known, _a, b) {
    const turn = turnProof(known, 1);
    if (turn === undefined || b % 4 !== 0) return;
    run(known, { type: "turn.finish", ...turn, outcome: "done", message: "" });
    startTurn(known);
  },
  reset(known, _a, b) {
    if (b % 16 !== 0) return;
    run(known, { type: "session.reset" });
    run(known, { type: "slice.apply", slice: "gate", command: { do: "open" } });
    startTurn(known);
  },
} as const satisfies Record<string, Play>;

/** What happens more often than the rest. */
const OFTEN = ["say", "open cell", "call", "claim", "claim", "finish", "resume"] as const;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const NAMES = [...(Object.keys(MOVES) as Move["what"][]), ...OFTEN];

const moves = array(record({ what: constantFrom(...NAMES), a: nat(1_000), b: nat(1_000) }), {
  minLength: 40,
  maxLength: 120,
  size: "max",
});

function ring(known: Known): void {
  const { world } = known;
  const timer = world.session?.timers.find(({ key }) => key === CALLERS_TIMER);
  if (timer === undefined || timer.atMs > world.nowMs) return;
  run(known, { type: "timer.fire", key: timer.key, atMs: timer.atMs });
  for (const { life } of world.session?.callers ?? []) {
    const untilMs = life.status === "suspended" ? life.keptUntilMs : life.leaseUntilMs;
    expect(untilMs > world.nowMs, "the timer leaves nobody behind").toBe(true);
  }
}

/** All that is needed for somebody to notice, without anybody asking: the timer that the session itself has set. */
function untilAllAreGone(known: Known): void {
  const { world } = known;
  for (let rounds = 0; rounds < 200 && world.session?.callers !== undefined; rounds++) {
    const timer = world.session.timers.find(({ key }) => key === CALLERS_TIMER);
    expect(timer, "a session with callers has a timer").toBeDefined();
    world.nowMs = Math.max(world.nowMs, timer?.atMs ?? 0);
    ring(known);
  }
  expect(world.session?.callers).toBeUndefined();
}

describe("callers, in any order of events", () => {
  it("[GA-12, I14, I15] no call starts twice, no old epoch claims or finishes, and what was claimed ends once", () => {
    const reached = { claims: 0, unknown: 0, resumed: 0, lost: 0 };
    assert(
      property(moves, (played) => {
        const known = begin();
        for (const { what, a, b } of played) MOVES[what](known, a, b);
        untilAllAreGone(known);
        const open = known.world.session?.turn.status === "running" ? known.world.session.turn.calls : [];
        for (const callId of known.claimed)
          expect(known.closed.has(callId) || open.some((call) => call.callId === callId)).toBe(true);
        reached.claims += [...known.claimed].filter((callId) => callId.includes("/")).length;
        reached.unknown += [...known.closed].filter(([id, end]) => id.includes("/") && end === "unknown").length;
        reached.resumed += known.resumed;
        reached.lost += known.lost;
      }),
      { numRuns: 400 },
    );
    for (const [what, times] of Object.entries(reached))
      expect(times, `the interleavings reach: ${what}`).toBeGreaterThan(20);
  });
});
