/**
 * The one road from a tool call to its result, whoever made it: the model in its turn, a cell, or an agent outside. Nothing
 * else runs a tool (GA-02, GA-12).
 *
 *   loop check ─▶ find ─▶ parse ─▶ classify ─▶ trusted policies ─▶ hooks ─▶ permission prompt ─┬─ state: call.apply
 *    └─▶ call.refuse │        │                 (on the live session; any doubt refuses)       ├─ read:  run ─▶ call.finish
 *                    └─error──┴──▶ call.finish      └────────────┴──▶ call.refuse              └─ write: call.claim ─▶ permit
 *                                                                                                    ─▶ run ─▶ call.finish
 *
 * The claim is committed before a mutating call starts and is decided by the slices' guards in that same transaction, so
 * a mode that changed a moment ago counts, and a crash leaves "unknown" behind instead of a second run.
 */
import type { CallWitness, Witnessing } from "../plugins/api/call-witness.ts";
import type { CatalogProjection, OfferedTool } from "../plugins/api/catalog.ts";
import type { PermissionPrompt, PolicyQuestion, TrustedToolPolicy } from "../plugins/policy.ts";
import { firstChars, never } from "../plugins/sdk.ts";
import type { Clock, Sessions } from "../plugins/sessions.ts";
import type { CalledTool, HookedCall, ToolHooks } from "../plugins/tool-hooks.ts";
import type { Permit, ToolContext } from "../plugins/tool.ts";
import type { CallerRef } from "../protocol/calls/caller.ts";
import { GateRefusal } from "../protocol/gate.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { Session } from "../protocol/session.ts";
import type { ToolCall } from "../protocol/transcript-entry.ts";
import { type CallAt, type CallEnd, type Caller, type CallRecord, CLOSED, createCallRecord } from "./call-record.ts";
import { execute } from "./execute.ts";
import { askHooks, type HookOutcome, reportCall } from "./hook-stage.ts";
import { type Allowed, bothAllow, gateUnavailable, judge, type Judgement, type Rewrite, weigh } from "./judge.ts";
import { createLoopCheck, type LoopCheck } from "./loop-check.ts";
import { nearNames } from "../protocol/near-names.ts";
import { mintPermit } from "./permit.ts";
import type { Offer, OwnerOf, PreparedCall, RegisteredTool, Registry } from "./registry.ts";
import { chooseSurface, type Surface } from "./surface.ts";
import type { WorkspacePins } from "./builtin/workspace-pins.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { Redaction } from "./redaction/redaction.ts";
import { surroundingsOf } from "./surroundings.ts";
import { type CallResult, failed } from "./tool-result.ts";
import { redactedRecord, watchedRecord } from "./watched-record.ts";

const NAMES_SHOWN_MAX = 50;
const REWRITES_MAX = 3;

export type ToolboxParts = {
  registry: Registry;
  /** What the model is shown in place of the catalog, where a plugin decides so; absent: the catalog. */
  projection?: CatalogProjection | undefined;
  /** Which plugin a tool belongs to; absent: none does. */
  ownerOf?: OwnerOf;
  policies: readonly TrustedToolPolicy[];
  /** Watches what calls with a permit change; absent: nobody does. */
  witness?: CallWitness | undefined;
  /** Hooks of plugins, which run after the policies; absent: none. */
  hooks?: ToolHooks | undefined;
  /** Decides which calls a person is asked about; absent: none, and a call that a hook wants to ask about is refused. */
  permission?: PermissionPrompt | undefined;
  sessions: Sessions;
  clock: Clock;
  /** Settings of every slice, resolved for one session; they decide which tools it is offered. */
  settingsFor(session: Session): Readonly<Record<string, unknown>>;
  /** The gateway's own folders (absolute), which nothing reads on the agent's behalf. */
  protectedFolders: readonly string[];
  /** Holds on to the folders that sessions work in; absent: a workspace is whatever its path leads to. */
  workspaces?: Pick<WorkspacePins, "pin"> | undefined;
  /** Where calls with a permit are entered while they run; absent: nobody ends them but their caller. */
  running?: Pick<RunningCalls, "begin"> | undefined;
  /** Keeps secrets out of results and of output; absent: nothing is kept out. */
  redaction?: Redaction | undefined;
  /** Output of a call while it runs, for people who watch. */
  onOutput(sessionId: SessionId, output: { turnId?: TurnId; callId: string; text: string }): void;
  /** A failure inside a tool or a policy: the model learns that there was one, the cause goes to the log. */
  report(error: unknown): void;
};

export type Toolbox = {
  catalog(session: Session): Offer[];
  /** The same tools, with whose they are. */
  offered(session: Session): OfferedTool[];
  /** What the model is shown in this session now; see `surface.ts`. */
  surface(session: Session, before?: Surface["kind"]): Promise<Surface>;
  call(call: ToolCall, caller: Caller): Promise<CallEnd>;
};

type World = ToolboxParts & { record: CallRecord; loops: LoopCheck };
/** One call on its way through the pipeline. */
type Job = CallAt & {
  session: Session;
  settings: Readonly<Record<string, unknown>>;
  tool: RegisteredTool;
  prepared: PreparedCall;
  beganAtMs: number;
  /** Who changed its arguments, and why. */
  rewritten?: { by: string; reason: string };
};

export function createToolbox(parts: ToolboxParts): Toolbox {
  const record = redactedRecord(createCallRecord(parts.sessions, parts.clock), parts.redaction);
  const loops = createLoopCheck();
  const offered: Toolbox["offered"] = (session) =>
    parts.registry.offered({ session, settings: parts.settingsFor(session) }, parts.ownerOf ?? (() => undefined));
  return {
    catalog: (session) => parts.registry.catalog({ session, settings: parts.settingsFor(session) }),
    offered,
    surface: (session, before) =>
      chooseSurface(parts, { session, before, settings: parts.settingsFor(session), offers: () => offered(session) }),
    // assembled for each call, because policies and hooks change with their plugins
    call: (call, caller) => callTool(call, caller, { ...parts, record, loops }),
  };
}

async function callTool(call: ToolCall, caller: Caller, world: World): Promise<CallEnd> {
  const isTurn = !("ref" in caller);
  const watched = world.loops.watch(isTurn ? caller.turnId : caller.ref.id, call);
  if (watched.stop !== undefined) {
    const { endTurn } = watched.stop;
    const refusal = { ...watched.stop.refusal, ...ownKind(call, world) };
    return world.record.refuse({ callId: call.callId, caller }, refusal, endTurn && isTurn ? { endTurn } : {});
  }
  return judgeAndRun(call, caller, { ...world, record: watchedRecord(world.record, watched) });
}

/** Of a tool that is known, before it was looked for in the session. */
function ownKind({ tool }: ToolCall, { registry }: World): Pick<Partial<GateRefusal>, "tool_kind"> {
  const kind = registry.kindOf(tool);
  return kind === undefined ? {} : { tool_kind: kind };
}

async function judgeAndRun(call: ToolCall, caller: Caller, world: World): Promise<CallEnd> {
  const at: CallAt = { callId: call.callId, caller };
  let session: Session | undefined;
  try {
    session = await world.sessions.session(caller.sessionId);
  } catch (error) {
    world.report(error);
    const unread = { matched: "the store", why: "could not be read" };
    const refusal = gateUnavailable({ tool: call.tool, kind: "read_only" }, unread);
    return world.record.refuse(at, { ...refusal, ...ownKind(call, world) });
  }
  if (session === undefined) return { status: "stopped", refusal: SESSION_GONE };
  const found = findTool(call, { caller, session }, world);
  if ("error" in found) return world.record.finish(at, failed(found.error));
  const job: Job = { ...at, session, ...found, beganAtMs: world.clock.now() };
  const { judged, job: final } = await settle(job, world);
  if ("refusal" in judged) {
    const { refusal, ...beside } = judged;
    return world.record.refuse(at, refusal, beside);
  }
  if (final.rewritten === undefined) return carryOut(final, judged, world);
  const { args, argsDigest } = final.prepared;
  const stored = await world.record.rewrite(final, { args, argsDigest, by: final.rewritten.by });
  return stored.status === "stopped" ? stored : carryOut(final, judged, world);
}

/** A call with other arguments is another call: it is judged from the start, until no policy changes it any more. */
async function settle(job: Job, world: World): Promise<{ job: Job; judged: Judgement }> {
  let now = job;
  for (let rewrites = 0; ; rewrites++) {
    const judged = await judgeInOrder(now, world);
    if (!("rewrite" in judged)) return { job: now, judged };
    const { args, by, reason } = judged.rewrite;
    const call = { tool: now.tool.name, kind: now.tool.kind };
    const refused = (why: string) => ({ job: now, judged: { refusal: gateUnavailable(call, { matched: by, why }) } });
    if (rewrites >= REWRITES_MAX) return refused(`changed it more than ${REWRITES_MAX} times`);
    const prepared = now.tool.prepare(args, { workspace: now.session.workspace, before: now.prepared.args });
    if (!prepared.ok) return refused("changed it into something that cannot be run");
    now = { ...now, prepared: prepared.call, rewritten: { by, reason } };
  }
}

/** Trusted policies, ordinary hooks, the permission prompt (GA-02). The first no is the answer. */
async function judgeInOrder(job: Job, world: World): Promise<Judgement | Rewrite> {
  const weighed = await weigh(questionOf(job, world), world);
  if ("refusal" in weighed || "rewrite" in weighed) return weighed;
  const { ask, allowed } = "ask" in weighed ? weighed : { ask: undefined, allowed: weighed };
  const hookOutcome = await consultHooks(job, world);
  if (hookOutcome !== undefined && "refusal" in hookOutcome) return hookOutcome;
  const asking = ask ?? hookOutcome?.ask;
  if (job.prepared.effect === "write") return permitted(job, { allowed, hook: asking }, world);
  return ask === undefined ? allowed : { refusal: nobodyAsks(job, ask.reason) };
}

async function consultHooks(job: Job, world: World): Promise<HookOutcome> {
  const { hooks } = world;
  if (hooks === undefined || hooks.listens?.() === false) return undefined;
  return askHooks(hookedCall(job, world), { ...world, hooks });
}

function hookedCall(job: Job, world: World): HookedCall {
  const { callId, caller, session, prepared } = job;
  const words = job.tool.hookWords?.(prepared.args) ?? {};
  const { tool, kind, effect, args } = questionOf(job, world).call;
  const { sessionId, turnId } = caller;
  const by = turnId === undefined ? refIn(caller) : { turnId, ...refIn(caller) };
  return {
    sessionId,
    ...by,
    agentId: session.agentId,
    sessionKind: session.kind,
    callId,
    tool,
    kind,
    effect,
    ...words,
    args,
  };
}

const refIn = (caller: Caller): { caller?: CallerRef } => ("ref" in caller ? { caller: caller.ref } : {});

type Passed = { allowed: Allowed; hook: { reason: string } | undefined };

/** Reads the session again, because hooks may have taken their time. */
async function permitted(job: Job, { allowed, hook }: Passed, world: World): Promise<Judgement> {
  const { permission } = world;
  if (permission === undefined) return hook === undefined ? allowed : { refusal: nobodyAsks(job, hook.reason) };
  const { id, description } = permission;
  const question = questionOf(job, world);
  const prompt: TrustedToolPolicy = {
    id,
    description,
    evaluate: async () => {
      const session = world.hooks === undefined ? job.session : await world.sessions.session(job.caller.sessionId);
      const live = { ...question, session: session ?? job.session, allowed };
      return permission.evaluate(hook === undefined ? live : { ...live, hook });
    },
  };
  const judged = await judge(question, { ...world, policies: [prompt] });
  return "refusal" in judged ? judged : bothAllow(allowed, judged);
}

function nobodyAsks({ tool }: Job, reason: string): GateRefusal {
  const hint = "Nobody can be asked here: leave it, and say so in your answer.";
  return {
    tool_name: tool.name,
    tool_kind: tool.kind,
    hint,
    entered_at: null,
    entered_reason: null,
    rule: "hook/ask",
    matched: reason,
    message: `${tool.name} was not run: a plugin wants a person to look at it first (${reason}). ${hint}`,
  };
}

const SESSION_GONE: Refusal = { code: "SESSION_NOT_FOUND", message: "The session is gone." };

type Found = Pick<Job, "tool" | "prepared" | "settings"> | { error: string };

function findTool(call: ToolCall, { caller, session }: { caller: Caller; session: Session }, world: World): Found {
  const { registry, settingsFor } = world;
  const settings = settingsFor(session);
  const place = { session, settings };
  const tool = call.target === undefined ? registry.find(call.tool, place) : controlOf(call.target, caller, world);
  if (tool === undefined) return { error: unknownTool(call.tool, registry.catalog(place)) };
  const prepared = tool.prepare(call.args, { workspace: session.workspace });
  return prepared.ok ? { settings, tool, prepared: prepared.call } : { error: prepared.error };
}

/** Only the model's own call reaches what stands in place of the catalog: no cell runs a cell. */
function controlOf(name: string, caller: Caller, { registry, projection }: World): RegisteredTool | undefined {
  const control = "ref" in caller ? undefined : projection?.controls.find((tool) => tool.name === name);
  return control === undefined ? undefined : registry.control(control);
}

function unknownTool(asked: string, offers: readonly Offer[]): string {
  const names = offers.map((offer) => offer.name);
  const near = nearNames(asked, names);
  const there = `There are: ${names.slice(0, NAMES_SHOWN_MAX).join(", ")}.`;
  return `There is no tool "${asked}" in this session. ${near.length > 0 ? `Did you mean ${near.join(" or ")}?` : there}`;
}

function questionOf(job: Job, { workspaces }: Pick<ToolboxParts, "workspaces">): PolicyQuestion {
  const { callId, caller, session, settings, tool, prepared } = job;
  const { args, argsDigest } = prepared;
  // a state tool touches nothing but its own slice, which decides on the command itself
  const effect = prepared.effect === "state" ? "read" : prepared.effect;
  const call = { tool: tool.name, kind: tool.kind, effect, argsDigest, ...refIn(caller), callId, args };
  return { call, session, settings, within: () => surroundingsOf({ session, args }, { workspaces }) };
}

async function carryOut(job: Job, allowed: Allowed, world: World): Promise<CallEnd> {
  const { effect } = job.prepared;
  switch (effect) {
    case "state":
      return apply(job, world);
    case "read":
      reportRead(job, world);
      return finish(job, await run(job, undefined, world), world);
    case "write":
      return claimAndRun(job, allowed, world);
    default:
      return never(effect);
  }
}

async function claimAndRun(job: Job, allowed: Allowed, world: World): Promise<CallEnd> {
  const { callId, caller, tool, prepared } = job;
  const { argsDigest } = prepared;
  const { confine, ...claimed } = allowed;
  const outcome = await world.record.claim(job, { kind: tool.kind, argsDigest, ...claimed });
  if (!outcome.ok) return unclaimed(job, outcome.refusal, world);
  const late = await judge(questionOf(job, world), {
    ...world,
    policies: world.policies.filter((policy) => policy.afterClaim),
  });
  if ("refusal" in late) return world.record.refuse(job, late.refusal, refusedBy(late.by)); // claimed, and never started
  const witnessing = await witnessed(job, world);
  if (witnessing !== undefined && "refusal" in witnessing) return world.record.finish(job, failed(witnessing.refusal));
  const { sessionId, epoch } = caller;
  const permit = mintPermit({ sessionId, callId, argsDigest, epoch, ...refIn(caller) }, caller.leaseLeftMs);
  // what the sessions above allow may have become less meanwhile
  const confined = bothAllow(confine === undefined ? {} : { confine }, late).confine;
  const granting = { permit, granted: allowed.grant !== undefined, confine: confined };
  const result = await runWatched(job, granting, world);
  await witnessing?.ended(result);
  return finish(job, result, world);
}

/** After the claim, so that nothing is looked at for a call that does not run. */
async function witnessed(job: Job, world: World): Promise<Witnessing | { refusal: string } | undefined> {
  const { callId, session, settings, tool, prepared } = job;
  const place = world.witness === undefined ? undefined : pinnedPlace(session, world);
  if (place === undefined || "error" in place) return undefined; // without its folder the call itself fails and says so
  const { name, kind } = tool;
  return world.witness?.begins({
    session,
    above: await sessionsAbove(session, world),
    settings,
    callId,
    tool: name,
    kind,
    args: prepared.args,
    workspace: place.workspace,
  });
}

/** Deeper than sub-agents can stand. */
const ABOVE_MAX = 8;

/** For the record alone: a store that cannot be read now keeps no call from its result. */
async function sessionsAbove({ parentId }: Session, { sessions, report }: World): Promise<Session[]> {
  const above: Session[] = [];
  let next = parentId;
  while (next !== undefined && above.length < ABOVE_MAX) {
    const session = await sessions.session(next).catch((error: unknown) => report(error));
    if (session === undefined) break;
    above.push(session);
    next = session.parentId;
  }
  return above;
}

type Running = { permit: Permit; granted: boolean; confine: Allowed["confine"] };

/** Ended when the right to change things ends. What it had done by then stays done, so its result says that it may have. */
async function runWatched(job: Job, granting: Running, world: World): Promise<CallResult> {
  const { caller, tool } = job;
  const { granted } = granting;
  const { sessionId, signal } = caller;
  const running = world.running?.begin({ sessionId, signal, granted });
  if (running === undefined) return run(job, granting, world);
  try {
    const result = await run({ ...job, caller: { ...caller, signal: running.signal } }, granting, world);
    const why = running.ended();
    return why === undefined || result.status === "ok" ? result : endedResult(tool, why, result);
  } finally {
    running.done();
  }
}

function endedResult({ name }: RegisteredTool, why: string, { content }: CallResult): CallResult {
  const ended = `${name} was ended by the gateway: ${why}. What it had changed until then stays: look before you repeat it.`;
  return { status: "unknown", content: { ended, result: content } };
}

async function finish(job: Job, result: CallResult, world: World): Promise<CallEnd> {
  const ran = { args: job.prepared.args, startedAtMs: job.beganAtMs };
  const end = await world.record.finish(job, { ...withChange(job, result), ran });
  reportToHooks(job, result.status, world);
  return end;
}

const CHANGE_CHARS_MAX = 2_000;

/** Adds to the result which call ran, when a policy changed the model's call. */
function withChange({ rewritten, prepared }: Job, result: CallResult): CallResult {
  if (rewritten === undefined) return result;
  const ran = firstChars(JSON.stringify(prepared.args), CHANGE_CHARS_MAX);
  const text = `changed by ${rewritten.by} before it ran (${rewritten.reason}); it ran with ${ran}`;
  const { content } = result;
  if (typeof content === "string") return { ...result, content: `${content}\n[This call was ${text}]` };
  const isFields = content !== null && typeof content === "object" && !Array.isArray(content);
  return { ...result, content: isFields ? { ...content, changed: text } : { result: content, changed: text } };
}

/** Reports a call to the hooks, once its result is recorded. */
function reportToHooks(job: Job, status: CalledTool["status"], world: World): void {
  const { hooks, clock, report } = world;
  if (hooks === undefined || hooks.listens?.() === false) return;
  reportCall({ ...hookedCall(job, world), status, durationMs: clock.now() - job.beganAtMs }, { hooks, report });
}

function reportRead({ callId, caller: { sessionId, turnId }, tool }: Job, { hooks, report }: World): void {
  try {
    hooks?.readStarted?.({ sessionId, ...(turnId === undefined ? {} : { turnId }), callId, tool: tool.name });
  } catch (error) {
    report(error);
  }
}

function pinnedPlace(
  { workspace: name }: Session,
  { workspaces }: World,
): Pick<ToolContext, "workspace" | "workspaceIdentity"> | { error: string } {
  const pinned = workspaces?.pin(name) ?? { path: name };
  if ("error" in pinned) return pinned;
  const { path: workspace, identity } = pinned;
  return identity === undefined ? { workspace } : { workspace, workspaceIdentity: identity };
}

async function run(job: Job, granting: Running | undefined, world: World): Promise<CallResult> {
  const permit = granting?.permit;
  const confine = granting?.confine === undefined ? {} : { confine: granting.confine };
  const { callId, caller, session, tool, prepared } = job;
  const { sessionId, turnId, epoch, signal, leaseLeftMs } = caller;
  const inTurn = turnId === undefined ? {} : { turnId };
  const shown = world.redaction?.stream();
  const show = (text: string): void => {
    if (text !== "") world.onOutput(sessionId, { ...inTurn, callId, text });
  };
  const emit = (text: string): void => show(shown?.push(text) ?? text);
  const place = pinnedPlace(session, world);
  if ("error" in place) return failed(place.error);
  const lease = leaseLeftMs === undefined ? {} : { leaseLeftMs };
  const context = {
    sessionId,
    ...inTurn,
    callId,
    epoch,
    ...refIn(caller),
    ...place,
    ...lease,
    ...confine,
    signal,
    emit,
  };
  const result = await execute({ tool, prepared, context, permit }, world);
  show(shown?.end() ?? "");
  return result;
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
      if (guarded.success) return record.refuse(job, guarded.data, refusedBy(refusal.details?.["by"]));
      const unstored = { matched: "the claim", why: `could not be recorded (${refusal.code})` };
      return record.refuse(job, gateUnavailable({ tool: job.tool.name, kind: job.tool.kind }, unstored));
    }
  }
}

const refusedBy = (by: unknown): { by?: string } => (typeof by === "string" ? { by } : {});

async function apply(job: Job, world: World): Promise<CallEnd> {
  const { record, report, protectedFolders } = world;
  const { tool, prepared, callId, session } = job;
  const pinned = pinnedPlace(session, world);
  if ("error" in pinned) return record.finish(job, failed(pinned.error));
  let resolved: Awaited<ReturnType<PreparedCall["toCommand"]>>;
  try {
    resolved = await prepared.toCommand({ callId, workspace: pinned.workspace, protectedFolders });
  } catch (error) {
    report(error);
    return record.finish(job, failed(`${tool.name} failed; nothing was changed.`));
  }
  if ("error" in resolved) return record.finish(job, failed(resolved.error));
  const end = await record.apply(job, resolved);
  if (end.status === "closed") reportToHooks(job, "applied", world);
  if (end.status === "closed" || end.refusal.code !== "STORE_FULL") return end;
  return record.finish(job, failed(`${tool.name} was not applied: ${end.refusal.message}`)); // a result fits where a change does not
}
