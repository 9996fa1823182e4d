/**
 * What was run and changed for each step, read from the transcript: a call belongs to the step that was in progress, or,
 * where none was, to the one that the next update closed. Claims of the agent are compared with it.
 */
import type { HistoryItem } from "../../../src/protocol/methods.ts";
import type { EntryOf } from "../../../src/protocol/transcript-entry.ts";
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

type Reading = {
  found: Map<string, StepCall[]>;
  made: Map<string, Made>;
  steps: readonly ShownStep[];
  /** Made while no step was in progress. */
  loose: StepCall[];
  proving: ReadonlySet<string>;
};
type Result = EntryOf<"result"> | EntryOf<"call-result">;

/** A transcript is a new list whenever it grows, so each is read once. */
const failed = new WeakMap<readonly HistoryItem[], ReadonlyMap<string, number>>();

/** How many calls failed, by the text of the step. */
export function failedByStep(items: readonly HistoryItem[]): ReadonlyMap<string, number> {
  const known = failed.get(items);
  if (known !== undefined) return known;
  const counts = [...callsByStep(items)].map(
    ([step, calls]) => [step, calls.filter(({ isOk }) => !isOk).length] as const,
  );
  const found = new Map(counts.filter(([, count]) => count > 0));
  failed.set(items, found);
  return found;
}

/** By the text of the step, oldest first; `proving`: calls that are listed whatever they did. */
export function callsByStep(
  items: readonly HistoryItem[],
  proving: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, readonly StepCall[]> {
  const reading: Reading = { found: new Map(), made: new Map(), steps: [], loose: [], proving };
  for (const { entry } of items) {
    if (entry.kind === "assistant")
      for (const { callId, tool, args } of entry.calls) reading.made.set(callId, { tool, args });
    else if (entry.kind === "call") reading.made.set(entry.callId, { tool: entry.tool, args: entry.args });
    else if (entry.kind === "result" || entry.kind === "call-result") readResult(reading, entry);
  }
  return reading.found;
}

function readResult(reading: Reading, { callId, tool, status, content }: Result): void {
  const args = reading.made.get(callId)?.args;
  const isOk = status === "ok";
  if (isOk && tool === "exit_plan_mode") {
    reading.steps = stepsIn(args);
    reading.found.clear();
  } else if (isOk && tool === "update_plan") {
    readUpdate(reading, args);
  } else if (CHANGING.has(tool) || status === "error" || reading.proving.has(callId)) {
    const call = { callId, tool, about: shortCallArgs(args), isOk, exitCode: exitCodeIn(content) };
    const current = reading.steps.find((step) => step.status === "in_progress");
    if (current === undefined) reading.loose.push(call);
    else add(reading, current.text, [call]);
  }
}

function readUpdate(reading: Reading, args: JsonObject | undefined): void {
  const next = stepsAfter(reading.steps, args);
  const [closed, ...others] = newlyClosed(reading.steps, next);
  if (closed !== undefined && others.length === 0) add(reading, closed, reading.loose);
  reading.loose = [];
  reading.steps = next;
}

function add({ found }: Reading, step: string, calls: readonly StepCall[]): void {
  if (calls.length > 0) found.set(step, [...(found.get(step) ?? []), ...calls].slice(-CALLS_PER_STEP_MAX));
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
