/**
 * The agent of the simulation. It decides from the transcript alone, so that it does the same before and after a crash:
 * it plans, submits, and once a plan is approved it makes a change per step. After a few plans it has had enough.
 */
import type { Model, ModelPart, ModelRequest } from "../../src/agent/model.ts";
import type { Json, JsonObject } from "../../src/protocol/json.ts";
import type { SessionKind } from "../../src/protocol/session.ts";
import type { Entry } from "../../src/protocol/transcript-entry.ts";
import type { Cast } from "./cast.ts";

export const CHANGE_TOOL = "change";
const CHANGES_PER_PLAN = 2;
/** A plan that expires is submitted again, but not for ever: a simulated day has an end. */
const PLANS_MAX = 3;

type Move = { say: string } | { tool: string; args: JsonObject };
type Role = { kind: SessionKind; cast: Cast };

/** `think`: how long it takes to answer. */
export function simulatedAgent(role: Role, think: (signal: AbortSignal) => Promise<void>): Model {
  return {
    id: "simulated",
    scripted: true,
    async *stream(request) {
      await think(request.signal);
      yield* partsOf(nextMove(request.entries, role), request);
    },
  };
}

function* partsOf(move: Move, request: ModelRequest): Generator<ModelPart> {
  if ("say" in move) {
    yield { type: "text", delta: move.say };
    yield { type: "end", reason: "stop" };
    return;
  }
  const made = request.entries.filter((entry) => entry.kind === "assistant").length;
  yield { type: "call", call: { callId: `${request.turnId}.${made}`, tool: move.tool, args: move.args } };
  yield { type: "end", reason: "calls" };
}

const steps = (status: string): Json =>
  Array.from({ length: CHANGES_PER_PLAN }, (_, n) => ({ step: `Change ${n + 1}`, status }));
const COMPLETE: Move = { tool: "update_plan", args: { plan: steps("completed") } };
const STATUS: Move = { tool: "plan_mode_status", args: {} };

const plansIn = (entries: readonly Entry[]): number =>
  entries.filter((entry) => entry.kind === "result" && entry.tool === "exit_plan_mode").length;
/** Declared too narrowly: each change needs an amendment. */
const scopedSteps = (): Json =>
  Array.from({ length: CHANGES_PER_PLAN }, (_, n) => ({
    step: `Change ${n + 1}`,
    status: "pending",
    scope: { tools: ["message"] }, // paths would be looked up on a real disk, which knows no simulated time
  }));
const submit = (entries: readonly Entry[], cast: Cast): Move =>
  plansIn(entries) >= PLANS_MAX
    ? { say: "That is enough." }
    : {
        tool: "exit_plan_mode",
        args: {
          title: `Plan ${plansIn(entries) + 1}`,
          plan: cast === "scoped" ? scopedSteps() : steps("pending"),
        },
      };

function nextMove(entries: readonly Entry[], role: Role): Move {
  const last = entries.findLast((entry) => entry.kind !== "notice");
  const own = moveOfRole(entries, role, last);
  if (own !== undefined) return own;
  if (last?.kind === "input") return STATUS;
  if (last?.kind !== "result") return { say: "There is nothing to do." };
  if (last.status === "refused" || last.status === "skipped") return { say: `${last.tool} was not run.` };
  switch (last.tool) {
    case "plan_mode_status":
      return byMode(last.content, entries, role.cast);
    case "enter_plan_mode":
      return submit(entries, role.cast);
    case CHANGE_TOOL:
      return change(entries);
    default:
      return { say: "Finished for now." };
  }
}

/** What only a child, a run of a job or a parent does. */
function moveOfRole(entries: readonly Entry[], role: Role, last: Entry | undefined): Move | undefined {
  if (role.kind === "subagent") return last?.kind === "input" || isChange(last) ? change(entries) : DONE_BELOW;
  if (role.kind === "cron" && last?.kind === "input" && !isUnderPlan(last)) return submit(entries, role.cast);
  return role.cast === "family" && isChange(last) && !entries.some(isSpawn) ? SPAWN : undefined;
}

/** The text that a run begins with says whether a plan stands for it. */
const isUnderPlan = (input: Extract<Entry, { kind: "input" }>): boolean =>
  JSON.stringify(input).includes("[PLAN_DECISION]: approved");
const isChange = (entry: Entry | undefined): boolean =>
  entry?.kind === "result" && entry.tool === CHANGE_TOOL && isRun(entry);
const isSpawn = (entry: Entry): boolean => entry.kind === "result" && entry.tool === SPAWN.tool;
const isRun = ({ status }: Extract<Entry, { kind: "result" }>): boolean => status !== "refused" && status !== "skipped";
const SPAWN = { tool: "sessions_spawn", args: { task: "Make changes." } };
const DONE_BELOW: Move = { say: "That is what I could do." };

function byMode(status: Json, entries: readonly Entry[], cast: Cast): Move {
  const { mode, approval } = status as { mode?: string; approval?: string };
  if (mode === "executing") return change(entries);
  if (mode === "plan") return approval === "pending" ? { say: "The plan waits." } : submit(entries, cast);
  return plansIn(entries) === 0 ? { tool: "enter_plan_mode", args: {} } : { say: "All is finished." };
}

function change(entries: readonly Entry[]): Move {
  const submitted = entries.findLastIndex((entry) => entry.kind === "result" && entry.tool === "exit_plan_mode");
  const changed = entries.slice(submitted + 1).filter(isChange); // one that was held is made again when a person let it pass
  if (changed.length >= CHANGES_PER_PLAN) return COMPLETE;
  return { tool: CHANGE_TOOL, args: { line: `${plansIn(entries)}.${changed.length + 1}` } };
}
