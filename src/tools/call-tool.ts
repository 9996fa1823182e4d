/**
 * The one road from a model's tool call to its result. Nothing else runs a tool (GA-02, GA-12).
 *
 *   loop check ─▶ find ─▶ parse ─▶ classify ─▶ trusted policies on the live session ─┬─ state: call.apply
 *    └─▶ call.refuse │        │                         │ (any doubt refuses)        ├─ read:  run ─▶ call.finish
 *                    └─error──┴──▶ call.finish          └──▶ call.refuse             └─ write: call.claim ─▶ permit
 *                                                                                           ─▶ run ─▶ call.finish
 *
 * The claim is committed before a mutating call starts and is decided by the slices' guards in that same transaction, so
 * a mode that changed a moment ago counts, and a crash leaves "unknown" behind instead of a second run.
 */
import type { PolicyQuestion, TrustedToolPolicy } from "../plugins/policy.ts";
import { never } from "../plugins/sdk.ts";
import type { Clock, Sessions } from "../plugins/sessions.ts";
import type { Permit } from "../plugins/tool.ts";
import { GateRefusal } from "../protocol/gate.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { Session } from "../protocol/session.ts";
import type { ToolCall } from "../protocol/transcript.ts";
import { type CallAt, type CallEnd, type Caller, type CallRecord, CLOSED, createCallRecord } from "./call-record.ts";
import { execute } from "./execute.ts";
import { type Allowed, gateUnavailable, judge } from "./judge.ts";
import { createLoopCheck, type LoopCheck, type Watched, withWarning } from "./loop-check.ts";
import { nearNames } from "../protocol/near-names.ts";
import { mintPermit } from "./permit.ts";
import type { Offer, PreparedCall, RegisteredTool, Registry } from "./registry.ts";
import { type CallResult, failed } from "./tool-result.ts";

const NAMES_SHOWN_MAX = 50;

export type ToolboxParts = {
  registry: Registry;
  policies: readonly TrustedToolPolicy[];
  sessions: Sessions;
  clock: Clock;
  /** Settings of every slice, resolved for one session; they decide which tools it is offered. */
  settingsFor(session: Session): Readonly<Record<string, unknown>>;
  /** The gateway's own folders (absolute), which nothing reads on the agent's behalf. */
  protectedFolders: readonly string[];
  /** Output of a call while it runs, for people who watch. */
  onOutput(sessionId: SessionId, output: { turnId: TurnId; callId: string; text: string }): void;
  /** A failure inside a tool or a policy: the model is told that there was one, the cause goes to the log. */
  report(error: unknown): void;
};

export type Toolbox = {
  catalog(session: Session): Offer[];
  call(call: ToolCall, caller: Caller): Promise<CallEnd>;
};

type World = ToolboxParts & { record: CallRecord; loops: LoopCheck };
/** One call on its way through the pipeline. */
type Job = CallAt & {
  session: Session;
  settings: Readonly<Record<string, unknown>>;
  tool: RegisteredTool;
  prepared: PreparedCall;
};

export function createToolbox(parts: ToolboxParts): Toolbox {
  const record = createCallRecord(parts.sessions, parts.clock);
  const world: World = { ...parts, record, loops: createLoopCheck() };
  return {
    catalog: (session) => parts.registry.catalog({ session, settings: parts.settingsFor(session) }),
    call: (call, caller) => callTool(call, caller, world),
  };
}

async function callTool(call: ToolCall, caller: Caller, world: World): Promise<CallEnd> {
  const watched = world.loops.watch(caller.turnId, call);
  if (watched.stop !== undefined) {
    const { refusal, endTurn } = watched.stop;
    return world.record.refuse({ callId: call.callId, caller }, refusal, endTurn ? { endTurn } : {});
  }
  return judgeAndRun(call, caller, { ...world, record: watchedRecord(world.record, watched) });
}

async function judgeAndRun(call: ToolCall, caller: Caller, world: World): Promise<CallEnd> {
  const at: CallAt = { callId: call.callId, caller };
  let session: Session | undefined;
  try {
    session = await world.sessions.session(caller.sessionId);
  } catch (error) {
    world.report(error);
    const unread = { matched: "the store", why: "could not be read" };
    return world.record.refuse(at, gateUnavailable({ tool: call.tool, kind: "read_only" }, unread));
  }
  if (session === undefined) return { status: "stopped", refusal: SESSION_GONE };
  const found = findTool(call, session, world);
  if ("error" in found) return world.record.finish(at, failed(found.error));
  const job: Job = { ...at, session, ...found };
  const judged = await judge(questionOf(job), world);
  if (!("refusal" in judged)) return carryOut(job, judged, world);
  return world.record.refuse(at, judged.refusal, judged.also === undefined ? {} : { also: judged.also });
}

const SESSION_GONE: Refusal = { code: "SESSION_NOT_FOUND", message: "The session is gone." };

/** Every way in which a call ends passes the loop check, which may put a warning into its result. */
function watchedRecord(record: CallRecord, { ended }: Watched): CallRecord {
  let isClaimed = false;
  return {
    async claim(at, gated) {
      const outcome = await record.claim(at, gated);
      isClaimed = outcome.ok;
      return outcome;
    },
    finish(at, result) {
      const warning = ended(result.content, isClaimed);
      return record.finish(at, { ...result, content: withWarning(result.content, warning) });
    },
    refuse(at, refusal, beside) {
      const warning = ended(refusal.rule, false);
      const message = warning === undefined ? refusal.message : `${refusal.message} ${warning}`;
      return record.refuse(at, { ...refusal, message }, beside);
    },
    apply(at, change) {
      ended(change.command, false);
      return record.apply(at, change);
    },
  };
}

type Found = Pick<Job, "tool" | "prepared" | "settings"> | { error: string };

function findTool(call: ToolCall, session: Session, { registry, settingsFor }: World): Found {
  const settings = settingsFor(session);
  const place = { session, settings };
  const tool = registry.find(call.tool, place);
  if (tool === undefined) return { error: unknownTool(call.tool, registry.catalog(place)) };
  const prepared = tool.prepare(call.args, { workspace: session.workspace });
  return prepared.ok ? { settings, tool, prepared: prepared.call } : { error: prepared.error };
}

function unknownTool(asked: string, offers: readonly Offer[]): string {
  const names = offers.map((offer) => offer.name);
  const near = nearNames(asked, names);
  const there = `There are: ${names.slice(0, NAMES_SHOWN_MAX).join(", ")}.`;
  return `There is no tool "${asked}" in this session. ${near.length > 0 ? `Did you mean ${near.join(" or ")}?` : there}`;
}

function questionOf({ callId, session, settings, tool, prepared }: Job): PolicyQuestion {
  const { args, argsDigest } = prepared;
  // a state tool touches nothing but its own slice, which decides on the command itself
  const effect = prepared.effect === "state" ? "read" : prepared.effect;
  return { call: { tool: tool.name, kind: tool.kind, effect, argsDigest, callId, args }, session, settings };
}

async function carryOut(job: Job, allowed: Allowed, world: World): Promise<CallEnd> {
  const { effect } = job.prepared;
  switch (effect) {
    case "state":
      return apply(job, world);
    case "read":
      return world.record.finish(job, await run(job, undefined, world));
    case "write":
      return claimAndRun(job, allowed, world);
    default:
      return never(effect);
  }
}

async function claimAndRun(job: Job, allowed: Allowed, world: World): Promise<CallEnd> {
  const { callId, caller, tool, prepared } = job;
  const { argsDigest } = prepared;
  const outcome = await world.record.claim(job, { kind: tool.kind, argsDigest, ...allowed });
  if (!outcome.ok) return unclaimed(job, outcome.refusal, world);
  const late = await judge(questionOf(job), {
    ...world,
    policies: world.policies.filter((policy) => policy.afterClaim),
  });
  if ("refusal" in late) return world.record.refuse(job, late.refusal); // claimed, and never started
  const permit = mintPermit({ sessionId: caller.sessionId, callId, argsDigest, epoch: caller.epoch });
  return world.record.finish(job, await run(job, permit, world));
}

function run(job: Job, permit: Permit | undefined, world: World): Promise<CallResult> {
  const { callId, caller, session, tool, prepared } = job;
  const { sessionId, turnId, signal } = caller;
  const emit = (text: string): void => world.onOutput(sessionId, { turnId, callId, text });
  const context = { sessionId, turnId, callId, workspace: session.workspace, signal, emit };
  return execute({ tool, prepared, context, permit }, world);
}

/** A claim that did not commit starts nothing. What is recorded depends on why. */
async function unclaimed(job: Job, refusal: Refusal, { record }: World): Promise<CallEnd> {
  switch (refusal.code) {
    case "CALL_NOT_OPEN":
      return CLOSED;
    case "LEASE_LOST":
    case "TURN_NOT_RUNNING":
    case "SESSION_NOT_FOUND":
    case "DRAINING":
      return { status: "stopped", refusal };
    case "CALL_ALREADY_CLAIMED":
      return record.finish(job, { status: "unknown", content: "It may have run before and was not started again." });
    default: {
      const guarded = GateRefusal.safeParse(refusal.details?.["refusal"]);
      if (guarded.success) return record.refuse(job, guarded.data);
      const unstored = { matched: "the claim", why: `could not be recorded (${refusal.code})` };
      return record.refuse(job, gateUnavailable({ tool: job.tool.name, kind: job.tool.kind }, unstored));
    }
  }
}

async function apply(job: Job, { record, report, protectedFolders }: World): Promise<CallEnd> {
  const { tool, prepared, callId, session } = job;
  let resolved: Awaited<ReturnType<PreparedCall["toCommand"]>>;
  try {
    resolved = await prepared.toCommand({ callId, workspace: session.workspace, protectedFolders });
  } catch (error) {
    report(error);
    return record.finish(job, failed(`${tool.name} failed; nothing was changed.`));
  }
  if ("error" in resolved) return record.finish(job, failed(resolved.error));
  const end = await record.apply(job, resolved);
  if (end.status === "closed" || end.refusal.code !== "STORE_FULL") return end;
  return record.finish(job, failed(`${tool.name} was not applied: ${end.refusal.message}`)); // a result fits where a change does not
}
