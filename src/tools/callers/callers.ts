/** The callers that this process holds: opened for plugins, kept alive, and closed when their plugin or the gateway goes. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { CellCaller, CellPlace, ExternalCaller, OpenCaller, ResumedCell } from "../../plugins/api/calls.ts";
import type { Clock, SessionOutcome, Sessions } from "../../plugins/sessions.ts";
import type { CallerRef, CellParent } from "../../protocol/calls/caller.ts";
import { CallerId, type SessionId } from "../../protocol/ids.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { SessionCommand } from "../../protocol/session.ts";
import type { AnswerRedaction } from "../redaction/answer-redaction.ts";
import type { Toolbox } from "../call-tool.ts";
import type { By } from "../../protocol/actor.ts";
import { type AgentActor, CALLER_LEASE_MS, type CallerLease, holdCaller } from "./caller-lease.ts";
import { makeCaller, type MadeCaller } from "./make-caller.ts";

/** How long a running call may go on while the gateway drains. */
const DRAIN_CALL_MS_MAX = 3_000;

export type CallersParts = {
  sessions: Sessions;
  clock: Clock;
  tools: Pick<Toolbox, "call">;
  /** Unique to this process. */
  node: string;
  /** Whether this process alone holds the state: then a lease of another node can only be a dead one's. */
  sole: boolean;
  /** Leaves the gateway's secrets out of what is recorded; absent: nothing is left out. */
  clean?: Pick<AnswerRedaction, "text" | "args"> | undefined;
  report(error: unknown): void;
};

export type Callers = {
  open(owner: string, given: ExternalCaller | CellCaller): Promise<OpenCaller | Refused>;
  resume(owner: string, given: { callerId: CallerId; parent: CellPlace }): Promise<ResumedCell | Refused>;
  /** All that a plugin opened. */
  closeOwned(owner: string): Promise<void>;
  /** Opens nothing more; resolves when all are closed. */
  drain(): Promise<void>;
};

type Held = MadeCaller & { owner: string };
type World = CallersParts & { held: Map<CallerId, Held> };

export function createCallers(parts: CallersParts): Callers {
  const world: World = { ...parts, held: new Map() };
  let draining = false;
  return {
    open: async (owner, given) => (draining ? DRAINING : open(owner, given, world)),
    resume: async (owner, given) => (draining ? DRAINING : resume(owner, given, world)),
    async closeOwned(owner) {
      const own = [...world.held.values()].filter((held) => held.owner === owner);
      await Promise.all(own.map((held) => held.caller.close()));
    },
    async drain() {
      draining = true;
      await Promise.all([...world.held.values()].map((held) => closeInTime(held, world)));
    },
  };
}

const DRAINING = refuse("DRAINING", "The gateway is stopping.");
const NO_PLACE = refuse("INVALID_REQUEST", "A cell runs inside a call that the model made in its turn.");

async function open(owner: string, given: ExternalCaller | CellCaller, world: World): Promise<OpenCaller | Refused> {
  const { clock, node } = world;
  const callerId = CallerId.parse(`clr_${randomBytes(16).toString("base64url")}`);
  const lease = { callerId, node, leaseUntilMs: clock.now() + CALLER_LEASE_MS };
  if (given.kind === "external") {
    const { sessionId, connection, signal, lentTo } = given;
    const opening = { type: "caller.open", kind: "external", connection, ...lease } as const;
    const opened = await take(agentOf(sessionId, lentTo), opening, world);
    if ("refused" in opened) return opened;
    const caller = keep(owner, { lease: opened.lease, signal }, world);
    const leave = (): void => void caller.close();
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    return caller;
  }
  const { parent } = given;
  const place = placeOf(parent);
  if (place === undefined) return NO_PLACE;
  const opening = { type: "caller.open", kind: "cell", ...place, ...lease } as const;
  const opened = await take(agentOf(parent.sessionId), opening, world);
  if ("refused" in opened) return opened;
  return keep(owner, { lease: opened.lease, signal: parent.signal, turnId: place.parent.turnId }, world);
}

async function resume(
  owner: string,
  { callerId, parent }: { callerId: CallerId; parent: CellPlace },
  world: World,
): Promise<ResumedCell | Refused> {
  const place = placeOf(parent);
  if (place === undefined) return NO_PLACE;
  const { clock, node, sole, held } = world;
  const before = held.get(callerId);
  const epoch = before === undefined ? {} : { epoch: before.lease.epoch };
  const leaseUntilMs = clock.now() + CALLER_LEASE_MS;
  const command = { type: "caller.resume", callerId, ...place, node, leaseUntilMs, sole, ...epoch } as const;
  const taken = await take(agentOf(parent.sessionId), command, world);
  if ("refused" in taken) return taken;
  const at = { lease: taken.lease, signal: parent.signal, turnId: place.parent.turnId };
  return { caller: keep(owner, at, world), unknown: taken.unknown };
}

function placeOf({ turnId, callId, epoch, caller }: CellPlace): { parent: CellParent; turnEpoch: number } | undefined {
  if (turnId === undefined || epoch === undefined || caller !== undefined) return undefined;
  return { parent: { turnId, callId }, turnEpoch: epoch };
}

const agentOf = (sessionId: SessionId, lentTo?: By): AgentActor => ({
  kind: "agent",
  sessionId,
  ...(lentTo === undefined ? {} : { lentTo }),
});

type Opening = Extract<SessionCommand, { type: "caller.open" | "caller.resume" }>;
const Opened = z.object({ epoch: z.int(), unknown: z.array(z.string()).default([]) });

/** The same lease goes on where the epoch is the same: calls under it are still on their way. */
async function take(
  actor: AgentActor,
  command: Opening,
  world: World,
): Promise<{ lease: CallerLease; unknown: string[] } | Refused> {
  const { sessionId } = actor;
  const outcome: SessionOutcome = await world.sessions.dispatch(sessionId, command, { actor });
  if (!outcome.ok) return { refused: outcome.refusal };
  const { epoch, unknown } = Opened.parse(outcome.reply);
  const before = world.held.get(command.callerId)?.lease;
  if (before?.epoch === epoch) return { lease: before, unknown };
  const ref: CallerRef = { id: command.callerId, kind: command.type === "caller.resume" ? "cell" : command.kind };
  const { leaseUntilMs } = command;
  return { lease: holdCaller({ actor, ref, epoch, leaseUntilMs }, world), unknown };
}

function keep(owner: string, at: Parameters<typeof makeCaller>[0], world: World): OpenCaller {
  const { held } = world;
  const made = { ...makeCaller(at, world), owner };
  const { id } = made.caller;
  held.set(id, made);
  const forget = (): void => void (held.get(id)?.lease === made.lease && held.delete(id));
  made.lease.over.addEventListener("abort", forget, { once: true });
  if (made.lease.over.aborted) forget();
  return made.caller;
}

async function closeInTime({ caller, idle }: Held, { clock }: World): Promise<void> {
  const tooLong = Promise.withResolvers<void>();
  const callOff = clock.wakeAt(clock.now() + DRAIN_CALL_MS_MAX, () => tooLong.resolve());
  await Promise.race([idle(), tooLong.promise]);
  callOff();
  await caller.close();
}
