/**
 * What was run and changed for each step, read from the transcript: a call belongs to the step that was in progress, or,
 * where none was, to the one that the next update closed. Claims of the agent are compared with it.
 */
import type { HistoryItem } from "../../../src/protocol/methods.ts";
import type { Json, JsonObject } from "../../../src/protocol/json.ts";
import { inlineSpans, type InlineSpan } from "../../../src/protocol/text/inline-markdown.ts";
import { type ShownStep, stepsAfter, stepsIn } from "../../chat/plan/folded-steps.ts";
import { shortCallArgs } from "../../chat/tool/call-facts.ts";

export type StepCall = {
  callId: string;
  tool: string;
  /** The command, the path or whatever else names it best. */
  about: string;
  isOk: boolean;
  /** Of a command that ended. */
  exitCode: number | undefined;
};

const CALLS_PER_STEP_MAX = 50;
/** What reads is told only where it failed. */
const CHANGING: ReadonlySet<string> = new Set(["exec", "write", "edit", "apply_patch"]);

type Made = { tool: string; args: JsonObject | undefined };

/** By the text of the step, oldest first. */
export function callsByStep(items: readonly HistoryItem[]): ReadonlyMap<string, readonly StepCall[]> {
  const found = new Map<string, StepCall[]>();
  const made = new Map<string, Made>();
  let steps: readonly ShownStep[] = [];
  let loose: StepCall[] = [];
  const add = (step: string, calls: readonly StepCall[]): void =>
    void found.set(step, [...(found.get(step) ?? []), ...calls].slice(-CALLS_PER_STEP_MAX));
  for (const { entry } of items) {
    if (entry.kind === "assistant") for (const { callId, tool, args } of entry.calls) made.set(callId, { tool, args });
    if (entry.kind === "call") made.set(entry.callId, { tool: entry.tool, args: entry.args });
    if (entry.kind !== "result" && entry.kind !== "call-result") continue;
    const { tool, args } = made.get(entry.callId) ?? { tool: entry.tool, args: undefined };
    const isOk = entry.status === "ok";
    if (tool === "exit_plan_mode" && isOk) {
      steps = stepsIn(args);
      found.clear();
    } else if (tool === "update_plan" && isOk) {
      const next = stepsAfter(steps, args);
      const closed = newlyClosed(steps, next);
      if (closed.length === 1 && closed[0] !== undefined) add(closed[0], loose);
      loose = [];
      steps = next;
    } else if (CHANGING.has(tool) || entry.status === "error") {
      const call = {
        callId: entry.callId,
        tool,
        about: shortCallArgs(args),
        isOk,
        exitCode: exitCodeIn(entry.content),
      };
      const current = steps.find(({ status }) => status === "in_progress");
      if (current === undefined) loose.push(call);
      else add(current.text, [call]);
    }
  }
  return found;
}

function newlyClosed(before: readonly ShownStep[], next: readonly ShownStep[]): string[] {
  const wasClosed = new Set(before.filter(({ status }) => status === "completed").map(({ text }) => text));
  return next.flatMap(({ text, status }) => (status === "completed" && !wasClosed.has(text) ? [text] : []));
}

function exitCodeIn(content: Json): number | undefined {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return undefined;
  const { exitCode } = content;
  return typeof exitCode === "number" ? exitCode : undefined;
}

/** The last run of a command that the criterion names as code; undefined where none was recorded. */
export function evidenceFor(criterion: string, calls: readonly StepCall[]): StepCall | undefined {
  const named = codesIn(inlineSpans(criterion)).map(oneSpace);
  return calls.findLast(({ exitCode, about }) => {
    const command = oneSpace(about);
    return exitCode !== undefined && named.some((code) => code === command || command.split(/ && |; /).includes(code));
  });
}

const codesIn = (spans: readonly InlineSpan[]): string[] =>
  spans.flatMap((span) => (span.kind === "code" ? [span.text] : "spans" in span ? codesIn(span.spans) : []));

const oneSpace = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
