/**
 * A model that decides from the transcript alone, so that it does the same thing before and after a crash: asks where it
 * stands, submits a plan, and once that is approved makes a fixed number of changes, each of which leaves one line.
 *
 *   message ─▶ status ─▶ enter? ─▶ submit ─(decision)─▶ status ─▶ append × N ─▶ update_plan ─▶ done
 *                            ▲──────────── rejected ────────┘
 */
import type { Model, ModelPart, ModelRequest } from "../../src/agent/model.ts";
import type { Json, JsonObject } from "../../src/protocol/json.ts";
import type { Entry, EntryOf } from "../../src/protocol/transcript-entry.ts";

export const APPEND_TOOL = "append_line";
/** In the workspace: one line per execution of the tool, "session call", and when it began. */
export const MUTATIONS_FILE = "mutations.log";
const APPENDS_PER_PLAN = 2;

type Move = { say: string } | { tool: string; args: JsonObject };

export function chaosModel(observe?: (request: ModelRequest) => void): Model {
  return {
    id: "chaos",
    scripted: true,
    async *stream(request) {
      observe?.(request);
      yield* partsOf(nextMove(request.entries), request);
    },
  };
}

function* partsOf(move: Move, request: ModelRequest): Generator<ModelPart> {
  if ("say" in move) {
    yield { type: "text", delta: move.say };
    yield { type: "end", reason: "stop" };
    return;
  }
  const made = inThisTurn(request.entries).filter((entry) => entry.kind === "assistant").length;
  const callId = `${request.turnId}.${made}`; // the same after a crash, and never the same twice
  yield { type: "call", call: { callId, tool: move.tool, args: move.args } };
  yield { type: "end", reason: "calls" };
}

const STEPS = Array.from({ length: APPENDS_PER_PLAN }, (_, n) => `Append line ${n + 1}`);
const steps = (status: string): Json => STEPS.map((step) => ({ step, status }));
const SUBMIT: Move = { tool: "exit_plan_mode", args: { title: "Append lines", plan: steps("pending") } };
const APPEND: Move = { tool: APPEND_TOOL, args: {} };
const COMPLETE: Move = { tool: "update_plan", args: { plan: steps("completed") } };
const STATUS: Move = { tool: "plan_mode_status", args: {} };

function nextMove(entries: readonly Entry[]): Move {
  const last = entries.findLast((entry) => entry.kind !== "notice");
  if (last?.kind === "input") return STATUS;
  if (last?.kind !== "result") return { say: "There is nothing to do." };
  if (last.status === "refused" || last.status === "skipped") return { say: `${last.tool} was not run.` };
  switch (last.tool) {
    case "plan_mode_status":
      return byMode(last.content, entries);
    case "enter_plan_mode":
      return SUBMIT;
    case APPEND_TOOL:
      return appendsSincePlan(entries) < APPENDS_PER_PLAN ? APPEND : COMPLETE;
    default:
      return { say: "Done for now." };
  }
}

function byMode(status: Json, entries: readonly Entry[]): Move {
  const { mode, approval } = status as { mode?: string; approval?: string };
  if (mode === "executing") return appendsSincePlan(entries) < APPENDS_PER_PLAN ? APPEND : COMPLETE;
  if (mode === "plan") return approval === "pending" ? { say: "The plan waits for a person." } : SUBMIT;
  return askedByPerson(entries) ? { tool: "enter_plan_mode", args: {} } : { say: "All done." };
}

function askedByPerson(entries: readonly Entry[]): boolean {
  const input = entries.findLast((entry): entry is EntryOf<"input"> => entry.kind === "input");
  return input !== undefined && input.messages.length > 0;
}

function appendsSincePlan(entries: readonly Entry[]): number {
  const submitted = entries.findLastIndex((entry) => entry.kind === "result" && entry.tool === "exit_plan_mode");
  return entries.slice(submitted + 1).filter((entry) => entry.kind === "result" && entry.tool === APPEND_TOOL).length;
}

function inThisTurn(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(entries.findLastIndex((entry) => entry.kind === "input"));
}
