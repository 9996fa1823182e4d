/** The transcript as the demo agent reads it. It remembers nothing else, so it goes on after any restart. */
import { z } from "zod";
import type { Json } from "../../protocol/json.ts";
import { SessionMode } from "../../plan-mode/protocol/state.ts";
import { PlanStep } from "../../plan-mode/protocol/plan.ts";
import type { CallStatus, Entry, EntryOf, ToolCall } from "../../protocol/transcript-entry.ts";
import type { ModelRequest } from "../model.ts";

/** A call with its result, and its place in the transcript. */
export type Made = { at: number; turnId: string; call: ToolCall; status: CallStatus; content: Json };
export type Input = { at: number; entry: EntryOf<"input"> };

export type View = {
  turnId: string;
  tools: ReadonlySet<string>;
  inputs: readonly Input[];
  /** All calls, oldest first. */
  made: readonly Made[];
  /** Those of the turn under way. */
  mine: readonly Made[];
  /** Whether this turn has any text of the agent yet. */
  fresh: boolean;
  /** Whether the session has. */
  first: boolean;
};

/** The text and the calls of the next answer; without calls the turn ends. */
export type Move = { text: string; calls: { tool: string; args: ToolCall["args"] }[] };
export const say = (text: string): Move => ({ text, calls: [] });

export function viewOf({ entries, tools, turnId }: ModelRequest): View {
  const made = entries.flatMap((entry, at) => (entry.kind === "assistant" ? callsOf(entry, at, entries) : []));
  return {
    turnId,
    tools: new Set(tools.map((tool) => tool.name)),
    inputs: entries.flatMap((entry, at) => (entry.kind === "input" ? [{ at, entry }] : [])),
    made,
    mine: made.filter((item) => item.turnId === turnId),
    fresh: !entries.some((entry) => entry.kind === "assistant" && entry.turnId === turnId),
    first: !entries.some((entry) => entry.kind === "assistant"),
  };
}

function callsOf({ calls, turnId }: EntryOf<"assistant">, at: number, entries: readonly Entry[]): Made[] {
  return calls.flatMap((call) => {
    const result = entries.find((entry) => entry.kind === "result" && entry.callId === call.callId);
    return result?.kind === "result" ? [{ at, turnId, call, status: result.status, content: result.content }] : [];
  });
}

/** What `plan_mode_status` returns, as far as the demo needs it. */
const Status = z.object({
  mode: SessionMode,
  approval: z.string(),
  rejection_count: z.int(),
  plan: z.object({ plan_id: z.string(), feedback: z.string().nullable() }).nullable(),
  steps: z.array(PlanStep),
  question: z.object({ question: z.string() }).nullable(),
});
export type Status = z.infer<typeof Status>;

export const statusOf = ({ call, content }: Made): Status | undefined =>
  call.tool === "plan_mode_status" ? Status.safeParse(content).data : undefined;

/** The newest status that was asked for in this turn. */
export const currentStatus = ({ mine }: View): Status | undefined =>
  mine.findLast((item) => item.call.tool === "plan_mode_status" && item.status === "ok") === undefined
    ? undefined
    : mine.map(statusOf).findLast((status) => status !== undefined);

/** Why a call failed, in a few words. */
export function reasonOf({ content }: Made): string {
  const told = z.object({ message: z.string() }).safeParse(content);
  if (told.success) return told.data.message;
  return typeof content === "string" ? content : JSON.stringify(content).slice(0, 500);
}

export const oneLine = (text: string, charsMax: number): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= charsMax ? line : `${line.slice(0, charsMax - 1).trimEnd()}…`;
};
