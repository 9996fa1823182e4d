/**
 * `exec` and `wait`: runs a program against the tools of its session, keeps it while it waits, and lets it go on.
 *
 *   exec ─▶ catalog, bindings ─▶ sandbox.run ─┬─▶ completed · failed ─▶ its caller is closed
 *   wait ─▶ claimed in the session, snapshot ─▶ sandbox.resume ─┴─▶ suspended ─▶ snapshot kept ─▶ waiting
 */
import { randomBytes } from "node:crypto";
import { CallerId } from "../../protocol/ids.ts";
import type { By } from "../../protocol/actor.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import {
  oneLine,
  type PluginApi,
  type RecordedCall,
  refuse,
  type Refused,
  type ToolContext,
  type ToolOutput,
  z,
} from "../../plugins/sdk.ts";
import { type Bindings, createBindings, type Target } from "../catalog/bindings.ts";
import { type Catalog, catalogOf } from "../catalog/catalog.ts";
import { bindNamespaces } from "../catalog/namespaces.ts";
import { PATH_SEPARATOR } from "../catalog/safe-names.ts";
import { LENT_MS_MAX, type LentProgram } from "../protocol/code-methods.ts";
import { CodeModeState, RUN_ID, WAITING_CELLS_ALL_MAX } from "../protocol/state.ts";
import { CODE_MODE_SLICE, CodeModeSettings } from "../settings.ts";
import { clampCellLimits } from "../sandbox/cell-limits.ts";
import type {
  CallAnswer,
  CellHost,
  CellOutcome,
  ErrorCode,
  FailedCell,
  Sandbox,
  SuspendedCell,
} from "../sandbox/sandbox.ts";
import { type CellCaller, lentCaller, newCaller, resumedCaller } from "./cell-caller.ts";
import { type CellCalls, createCellCalls, type PendingCall } from "./cell-calls.ts";
import { type KeptCell, packCell, unpackCell } from "./kept-cell.ts";
import { readProgram } from "./program.ts";
import { type CodeModeResult, failedResult, outputOf, resultJson, type ToolReceipt, toolOutput } from "./result.ts";
import { type CellCounts, newCounts, type SnapshotLife, telemetryOf } from "./telemetry.ts";

export type CellsApi = Pick<PluginApi, "tools" | "calls" | "sessions" | "settings" | "blobs" | "log" | "now">;
export type CellsParts = { api: CellsApi; sandbox(): Promise<Sandbox> };

export type Cells = {
  exec(args: JsonObject, context: ToolContext): Promise<ToolOutput>;
  wait(args: JsonObject, context: ToolContext): Promise<ToolOutput>;
  /** A person's own program with the tools of a session; nobody resumes it where it waits. */
  lend(program: LentProgram, by: By): Promise<{ result: JsonObject } | Refused>;
};

/** Calls of cells that wait and that this process has under way, by run; they are looked for only at `wait`. */
type Live = Map<string, { calls: Map<string, Promise<CallAnswer>>; untilMs: number }>;
/** `resuming`: by this process, from the moment a `wait` asks for the cell. */
type World = CellsParts & { live: Live; resuming: Set<string> };

const TOOL_IDS_KEPT = 512;
const ID_CHARS_MAX = 200;

/** One stage of a cell. */
type Stage = {
  runId: string;
  context: Pick<ToolContext, "sessionId" | "signal" | "emit">;
  settings: CodeModeSettings;
  catalog: Catalog;
  bindings: Bindings;
  counts: CellCounts;
  pending: Map<string, PendingCall>;
  caller: CellCaller;
  calls: CellCalls;
  /** By the ids of the program, for receipts. */
  toolIds: Map<string, string>;
  life?: SnapshotLife;
};

export function createCells(parts: CellsParts): Cells {
  const world: World = { ...parts, live: new Map(), resuming: new Set() };
  return {
    exec: async (args, context) => toolOutput(await ownFault(exec(args, context, world), world)),
    wait: async (args, context) => toolOutput(await ownFault(wait(args, context, world), world)),
    lend: (program, by) => lend(program, by, world),
  };
}

/** What goes wrong in here is our fault, and an answer all the same; the cause goes to the log. */
async function ownFault(work: Promise<CodeModeResult>, { api }: World): Promise<CodeModeResult> {
  try {
    return await work;
  } catch (error) {
    api.log("error", "a code cell met a fault of the gateway", { why: String(error).slice(0, 1_000) });
    return refused({ error: "The gateway could not run this cell. Its log says why.", code: "internal_error" });
  }
}

type Refusing = { error: string; code: ErrorCode; counts?: CellCounts; life?: SnapshotLife };

function refused({ error, code, counts = newCounts(), life }: Refusing): CodeModeResult {
  const snapshot = life === undefined ? undefined : { life };
  return failedResult({ error, code, telemetry: telemetryOf({ counts, code, snapshot }) });
}

async function settingsOf({ api }: World, { sessionId }: ToolContext): Promise<CodeModeSettings> {
  return CodeModeSettings.parse(await api.settings.read(sessionId));
}

async function exec(args: JsonObject, context: ToolContext, world: World): Promise<CodeModeResult> {
  const counts = { ...newCounts(), exec: 1 };
  const program = readProgram(args);
  if ("problem" in program) return refused({ error: program.problem, code: "invalid_input", counts });
  const settings = await settingsOf(world, context);
  const { code, language } = program;
  if (!settings.languages.some((one) => one === language)) {
    const error = `Cells are written in ${settings.languages.join(" or ")} here, not in "${language.slice(0, 64)}".`;
    return refused({ error, code: "unsupported_language", counts });
  }
  const runId = `cell_${randomBytes(16).toString("base64url")}`;
  const caller = newCaller(world.api.calls, context);
  const stage = await openStage({ runId, context, settings, counts, caller, pending: new Map() }, world);
  const sandbox = await world.sandbox();
  const { sessionId } = context;
  const cell = { runId, sessionId, code, language, bindings: stage.bindings.cell, limits: settings.limits };
  const outcome = await sandbox.run(cell, hostOf(stage, []));
  return ended(stage, outcome, world);
}

async function lend(program: LentProgram, lentTo: By, world: World): Promise<{ result: JsonObject } | Refused> {
  const { sessionId, code, language, timeoutMs, memoryLimitBytes } = program;
  const { api } = world;
  if ((await api.sessions.read(sessionId)) === undefined)
    return refuse("SESSION_NOT_FOUND", "There is no such session.");
  const settings = CodeModeSettings.parse(await api.settings.read(sessionId));
  const limits = clampCellLimits({
    ...settings.limits,
    timeoutMs: Math.min(LENT_MS_MAX, timeoutMs ?? settings.limits.timeoutMs),
    ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }),
  });
  const end = new AbortController(); // closes the caller, also where the cell met a fault of ours
  const runId = `cell_${randomBytes(16).toString("base64url")}`;
  const context = { sessionId, signal: end.signal, emit: () => undefined };
  const caller = lentCaller(api.calls, { sessionId, connection: runId, signal: end.signal, lentTo });
  const counts = { ...newCounts(), exec: 1 };
  async function ranLent(): Promise<CodeModeResult> {
    const stage = await openStage({ runId, context, settings, counts, caller, pending: new Map() }, world);
    const cell = { runId, sessionId, code, language, bindings: stage.bindings.cell, limits };
    const outcome = await (await world.sandbox()).run(cell, hostOf(stage, []));
    if (outcome.status !== "suspended") return ended(stage, outcome, world);
    world.live.delete(runId);
    return waitingResult(stage, outcome);
  }
  const result = await ownFault(ranLent(), world);
  end.abort();
  return { result: resultJson({ ...result, telemetry: { ...result.telemetry, visibleTools: [] } }) };
}

type Opening = Pick<Stage, "runId" | "context" | "settings" | "counts" | "caller" | "pending">;

async function openStage(opening: Opening, world: World): Promise<Stage> {
  const { runId, context, settings, counts, caller, pending } = opening;
  const { api, live } = world;
  const { sessionId, signal } = context;
  const catalog = catalogOf(await api.tools.catalog.list(sessionId));
  const registered = api.tools.catalog.namespaces();
  const bound =
    registered.length === 0
      ? []
      : await bindNamespaces(registered, { catalog, place: await placeOf(opening, world), log: api.log });
  const bindings = createBindings(catalog, bound);
  const calls = live.get(runId)?.calls ?? new Map<string, Promise<CallAnswer>>();
  live.set(runId, { calls, untilMs: Number.MAX_SAFE_INTEGER });
  const toolIds = new Map([...pending.values()].map(({ callId, toolId }) => [callId, toolId]));
  const made = { api, sessionId, caller, catalog, bindings, settings, counts, pending, live: calls };
  return { ...opening, context: { ...context, signal }, catalog, bindings, calls: createCellCalls(made), toolIds };
}

async function placeOf({ runId, context }: Opening, { api }: World) {
  const { sessionId, signal } = context;
  const session = await api.sessions.read(sessionId);
  return { agentId: session?.agentId ?? "", sessionKey: sessionId, sessionId, runId, config: {}, signal };
}

function hostOf({ calls, context, toolIds, catalog, bindings }: Stage, recorded: readonly RecordedCall[]): CellHost {
  return {
    async call(request) {
      const target = request.method === "namespace" ? bindings.target(request.target) : undefined;
      const id = request.method === "call" ? catalog.tool(request.target) && request.target : idOf(target);
      if (id !== undefined) noteId(toolIds, request.callId, id);
      return calls.call(request).catch(NOT_ANSWERED);
    },
    answerOf: (callId) => calls.answerOf(callId, recorded).catch(NOT_ANSWERED),
    output: (item) => context.emit(`${item.type === "text" ? item.text : JSON.stringify(item.value)}\n`),
    signal: context.signal,
  };
}

const idOf = (target: Target | undefined): string | undefined =>
  target === undefined || target.kind === "header" ? undefined : target.id;

/** Of the latest calls, as receipts are. */
function noteId(toolIds: Map<string, string>, callId: string, id: string): void {
  toolIds.set(callId, id);
  const [oldest] = toolIds.keys();
  if (toolIds.size > TOOL_IDS_KEPT && oldest !== undefined) toolIds.delete(oldest);
}

const NOT_ANSWERED = (): CallAnswer => ({ ok: false, json: JSON.stringify("The call could not be made.") });

async function ended(stage: Stage, outcome: CellOutcome, world: World): Promise<CodeModeResult> {
  if (outcome.status === "suspended") return suspended(stage, outcome, world);
  world.live.delete(stage.runId);
  await stage.caller.opened()?.close();
  const { catalog, counts, life } = stage;
  const snapshot = life === undefined ? undefined : { life };
  if (outcome.status === "failed") return failedCell(stage, outcome);
  return {
    status: "completed",
    value: parsedValue(outcome.valueJson),
    ...outputOf(outcome),
    telemetry: telemetryOf({ catalog, counts, outcome, snapshot }),
  };
}

/** What the sandbox gives is JSON; a schema for any JSON would hold the loop for a wide value. */
const parsedValue = (json: string): Json => {
  const value: Json = JSON.parse(json);
  return value;
};

function failedCell(stage: Stage, outcome: FailedCell, snapshot?: { life: SnapshotLife }): CodeModeResult {
  const { error, code } = outcome;
  const { catalog, counts, life } = stage;
  const lost = snapshot ?? (life === undefined ? undefined : { life: "dropped" as const });
  const telemetry = telemetryOf({ catalog, counts, outcome, code, snapshot: lost });
  return failedResult({ error, code, telemetry, outcome, calls: receiptsOf(stage, outcome) });
}

const receiptsOf = ({ toolIds, bindings }: Stage, { calls }: CellOutcome): ToolReceipt[] =>
  calls.flatMap(({ callId, method, target, state }) => {
    if (method !== "call" && method !== "namespace") return [];
    const toolId = toolIds.get(callId) ?? (method === "call" ? shownId(target) : idAt(target, bindings));
    return [{ callId, toolId, state }];
  });

/** Of a call that was never made, or whose tool is gone by now, too. */
function idAt(path: string, { target }: Pick<Bindings, "target">): string {
  const found = target(path);
  if (found?.kind === "header") return `mcp:${found.server.name}:$api`;
  return found?.id ?? shownId(path.split(PATH_SEPARATOR).join(":"));
}

const shownId = (id: string): string => oneLine(id).slice(0, ID_CHARS_MAX).toWellFormed();

/** Kept first, recorded then: a snapshot that nothing names is dropped when its time is over. */
async function suspended(stage: Stage, outcome: SuspendedCell, world: World): Promise<CodeModeResult> {
  const { runId, context, settings, counts, caller, pending } = stage;
  const { api, live } = world;
  const { sessionId } = context;
  const keptMs = settings.snapshotTtlSeconds * 1_000;
  const untilMs = api.now() + keptMs;
  const open = new Map(outcome.pending.map((request) => [request.callId, request]));
  for (const callId of pending.keys()) if (!open.has(callId)) pending.delete(callId);
  const bytes = packCell({ v: 1, runId, counts, pending: [...pending.values()], snapshot: outcome.snapshot });
  const problem = await keep({ runId, bytes, untilMs, stage }, world);
  if (problem !== undefined) return dropped(stage, outcome, { problem, world });
  forgetOld(live, api.now());
  const calls = live.get(runId)?.calls ?? new Map<string, Promise<CallAnswer>>();
  live.set(runId, { calls, untilMs });
  await caller.opened()?.suspend(keptMs);
  api.log("debug", "a code cell waits", { sessionId, runId, bytes: bytes.byteLength });
  return waitingResult(stage, outcome, { life: "created", bytes: outcome.snapshot.byteLength });
}

type Kept = { life: SnapshotLife; bytes: number };

function waitingResult(
  { runId, catalog, counts, pending }: Stage,
  outcome: SuspendedCell,
  kept?: Kept,
): CodeModeResult {
  const pendingToolCalls = [...pending.values()].map(({ callId, toolId, state, startedAtMs }) => ({
    callId,
    toolId,
    state,
    startedAt: new Date(startedAtMs).toISOString(),
  }));
  return {
    status: "waiting",
    runId,
    reason: outcome.reason,
    ...(pendingToolCalls.length === 0 ? {} : { pendingToolCalls }),
    ...outputOf(outcome),
    telemetry: telemetryOf({ catalog, counts, outcome, snapshot: kept }),
  };
}

type Keeping = { runId: string; bytes: Uint8Array; untilMs: number; stage: Stage };

/** Why it could not be kept; undefined when it is. */
async function keep({ runId, bytes, untilMs, stage }: Keeping, { api }: World): Promise<string | undefined> {
  const { sessionId } = stage.context;
  const session = await api.sessions.read(sessionId);
  const state = CodeModeState.safeParse(session?.slices[CODE_MODE_SLICE]).data;
  const isKnown = state?.cells?.some((cell) => cell.runId === runId) === true;
  if (!isKnown && (await api.blobs.count()) >= WAITING_CELLS_ALL_MAX)
    return `At most ${WAITING_CELLS_ALL_MAX} cells wait at a time.`;
  if (!(await api.blobs.save({ key: runId, sessionKey: sessionId, untilMs, bytes })))
    return "The store did not take the snapshot.";
  const callerId = stage.caller.opened()?.id;
  const cell = {
    runId,
    keptUntilMs: untilMs,
    bytes: bytes.byteLength,
    ...(callerId === undefined ? {} : { callerId }),
  };
  const outcome = await api.sessions.dispatch(sessionId, { type: "suspend", run: state?.run ?? 0, cell });
  if (outcome.ok) return undefined;
  await api.blobs.remove({ key: runId });
  return outcome.refusal.message;
}

type Dropping = { problem: string; world: World };

async function dropped(stage: Stage, outcome: SuspendedCell, { problem, world }: Dropping): Promise<CodeModeResult> {
  world.live.delete(stage.runId);
  await stage.caller.opened()?.close();
  const { status: _status, reason: _reason, snapshot: _snapshot, pending: _pending, ...rest } = outcome;
  const failure: FailedCell = { ...rest, status: "failed", error: problem, code: "snapshot_limit_exceeded" };
  return failedCell(stage, failure, { life: "dropped" });
}

function forgetOld(live: Live, nowMs: number): void {
  for (const [runId, { untilMs }] of live) if (untilMs <= nowMs) live.delete(runId);
}

const Found = z.object({
  found: z.enum(["none", "running", "expired", "aborted", "waiting"]),
  callerId: CallerId.optional(),
});
const NO_SUCH_CELL =
  "No cell of this run waits under this runId. wait takes the runId of a result whose status is waiting; a person's new message ends the cells of the run before.";

const GONE: Readonly<Record<"none" | "running" | "expired" | "aborted", Refusing>> = {
  none: { error: NO_SUCH_CELL, code: "invalid_input" },
  running: { error: NO_SUCH_CELL, code: "invalid_input" },
  expired: {
    error: "The cell waited longer than it is kept. Start it again with exec.",
    code: "snapshot_expired",
    life: "expired",
  },
  aborted: { error: "The cell was stopped with its run.", code: "aborted", life: "dropped" },
};

async function wait(args: JsonObject, context: ToolContext, world: World): Promise<CodeModeResult> {
  const counts = { ...newCounts(), wait: 1 };
  const { runId } = args;
  if (Object.keys(args).length !== 1 || typeof runId !== "string" || !RUN_ID.test(runId))
    return refused({ error: NO_SUCH_CELL, code: "invalid_input", counts });
  if (world.resuming.has(runId)) return refused({ ...GONE.running, counts });
  world.resuming.add(runId);
  try {
    return await claimed(runId, { context, counts }, world);
  } finally {
    world.resuming.delete(runId);
  }
}

type Claiming = { context: ToolContext; counts: CellCounts };

async function claimed(runId: string, { context, counts }: Claiming, world: World): Promise<CodeModeResult> {
  const { api } = world;
  const { sessionId } = context;
  const claim = await api.sessions.dispatch(sessionId, { type: "resume", runId });
  if (!claim.ok) return refused({ error: claim.refusal.message, code: "internal_error", counts });
  const { found, callerId } = Found.parse(claim.reply);
  if (found === "running") return lostCell(runId, context, world); // whoever resumed it is not in this process
  if (found !== "waiting") return refused({ ...GONE[found], counts });
  const bytes = await api.blobs.read(runId);
  const kept = bytes === undefined ? undefined : unpackCell(bytes);
  if (kept === undefined || kept.runId !== runId) {
    await endCell(runId, "failed", { context, world });
    return refused({
      error: "The cell could not be restored.",
      code: "snapshot_restore_failed",
      counts,
      life: "dropped",
    });
  }
  return resume(kept, { callerId, context }, world);
}

/** The gateway that ran it is gone: what it did after its snapshot cannot be known, so it is not begun anew. */
async function lostCell(runId: string, context: ToolContext, world: World): Promise<CodeModeResult> {
  await endCell(runId, "aborted", { context, world });
  return refused({ error: "The gateway stopped while this cell ran.", code: "aborted", life: "dropped" });
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

type Resuming = { callerId: CallerId | undefined; context: ToolContext };

async function resume(kept: KeptCell, { callerId, context }: Resuming, world: World): Promise<CodeModeResult> {
  const { runId, snapshot } = kept;
  const counts = { ...kept.counts, wait: kept.counts.wait + 1 };
  const { sessionId } = context;
  const settings = await settingsOf(world, context);
  const caller = await resumedCaller(world.api.calls, { callerId, parent: context });
  const recorded = callerId === undefined ? [] : await world.api.calls.results({ sessionId, callerId });
  const pending = new Map(kept.pending.map((call) => [call.callId, call]));
  // its program was given these servers' tools: after a restart they may still be on their way
  await Promise.race([world.api.tools.catalog.started(), aborted(context.signal)]);
  const stage = await openStage({ runId, context, settings, counts, caller, pending }, world);
  const sandbox = await world.sandbox();
  const order = { runId, sessionId, snapshot, answers: [], limits: settings.limits };
  const outcome = await sandbox.resume(order, hostOf(stage, recorded));
  const result = await ended({ ...stage, life: "restored" }, outcome, world);
  if (result.status !== "waiting") await endCell(runId, endOf(result), { context, world });
  return result;
}

const endOf = (result: Exclude<CodeModeResult, { status: "waiting" }>): "completed" | "failed" | "aborted" => {
  if (result.status === "completed") return "completed";
  return result.code === "aborted" ? "aborted" : "failed";
};

async function endCell(
  runId: string,
  as: "completed" | "failed" | "aborted",
  { context, world }: { context: ToolContext; world: World },
): Promise<void> {
  const outcome = await world.api.sessions.dispatch(context.sessionId, { type: "end", runId, as });
  if (!outcome.ok)
    world.api.log("warn", "the end of a code cell is not recorded", { runId, why: outcome.refusal.code });
}
