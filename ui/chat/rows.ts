/** The conversation as rows: messages, each call with its result, and replies to commands where they came. */
import type { AttachmentRef } from "../../src/protocol/attachment.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { HistoryItem } from "../../src/protocol/methods.ts";
import type { LocalizedLine } from "../../src/protocol/localized/localized-text.ts";
import type { EntryOf, ToolCall } from "../../src/protocol/transcript-entry.ts";
import type { ReadySession } from "../state/open-session.ts";
import type { Aside } from "./asides.ts";
import type { TalkEvent } from "./record/talk-event.ts";
import { areClosed, type ShownStep, stepsAfter, stepsIn } from "./plan/folded-steps.ts";

export type CallRow = {
  kind: "call";
  key: string;
  call: Pick<ToolCall, "callId" | "tool"> & Partial<Pick<ToolCall, "args" | "target">>;
  result: AnyResult | undefined;
  /** The call inside of which it was made, by a cell. */
  parentCallId?: string;
};
type AnyResult = EntryOf<"result"> | EntryOf<"call-result">;

/** One plan, where it was submitted or begun, with its steps as its calls left them. */
export type PlanRow = {
  kind: "plan";
  key: string;
  /** Empty where it was never submitted. */
  title: string;
  steps: readonly ShownStep[];
  /** The session's state says how its steps stand now. */
  isLatest: boolean;
};

export type Row =
  | { kind: "asked"; key: string; from: string; text: string; atMs: number; attachments?: readonly AttachmentRef[] }
  /** `goesOn`: the same speaker, so the name above it is still right. */
  | { kind: "said"; key: string; text: string; atMs: number | undefined; goesOn: boolean }
  | CallRow
  | PlanRow
  /** `isError`: the agent could not go on. */
  | { kind: "notice"; key: string; text: string; said: readonly LocalizedLine[]; isError: boolean }
  | { kind: "summary"; key: string }
  | { kind: "aside"; key: string; aside: Aside }
  | { kind: "event"; key: string; event: TalkEvent };

/** Notices that every channel gets; where the plan itself is shown, they would repeat it. */
const FROZEN_LINE = /^\[plan-mode\] /;
/** From here on another plan is made. */
const ENTERED = /^\[plan-mode\] entered /;

type Besides = { asides: readonly Aside[]; events: readonly TalkEvent[] };
type Drawn = { items: readonly HistoryItem[]; rows: Row[] } & Besides;
let drawn: Drawn | undefined; // while text streams in, only the last row changes

export function rowsOf(
  { items, speech }: Pick<ReadySession, "items" | "speech">,
  asides: readonly Aside[] = [],
  events: readonly TalkEvent[] = [],
): readonly Row[] {
  if (drawn?.items !== items || drawn.asides !== asides || drawn.events !== events)
    drawn = { items, asides, events, rows: allRows(items, { asides, events }) };
  const { rows } = drawn;
  if (speech === "") return rows;
  return [...rows, { kind: "said", key: "speech", text: speech, atMs: undefined, goesOn: isAgent(rows.at(-1)) }];
}

const isAgent = (row: Row | undefined): boolean => row?.kind === "said" || row?.kind === "call" || row?.kind === "plan";

function allRows(items: readonly HistoryItem[], { asides, events }: Besides): Row[] {
  const results = new Map<string, AnyResult>();
  const called = new Set<string>();
  for (const { entry } of items) {
    if (entry.kind === "result" || entry.kind === "call-result") results.set(entry.callId, entry);
    else if (entry.kind === "call") called.add(entry.callId);
    else if (entry.kind === "assistant") for (const { callId } of entry.calls) called.add(callId);
  }
  const rows: Row[] = [];
  const besides = inOrder({ asides, events });
  let next = 0;
  const addBesides = (before: number): void => {
    for (; next < besides.length && (besides[next]?.afterN ?? 0) < before; next += 1)
      rows.push(...(besides[next]?.row ?? []));
  };
  const calls: Calls = { results, called };
  for (const item of items) {
    addBesides(item.n);
    addRows(rows, item, calls);
  }
  addBesides(Number.POSITIVE_INFINITY);
  const latest = rows.findLast((row) => row.kind === "plan");
  if (latest !== undefined) latest.isLatest = true;
  return rows;
}

/** What is no entry of the transcript, each behind the entry after which it came. */
function inOrder({ asides, events }: Besides): { afterN: number; atMs: number; row: [Row] }[] {
  return [
    ...events.map((event) => ({ ...event, row: [{ kind: "event", key: event.key, event }] satisfies [Row] })),
    ...asides.map((aside) => ({ ...aside, row: [{ kind: "aside", key: `aside-${aside.id}`, aside }] satisfies [Row] })),
  ].toSorted((a, b) => a.afterN - b.afterN || a.atMs - b.atMs);
}

type Calls = {
  results: ReadonlyMap<string, AnyResult>;
  called: ReadonlySet<string>;
  /** The plan that updates belong to. */
  plan?: PlanRow | undefined;
};

type MadeCall = Pick<CallRow, "call" | "result">;

/** A call of the plan's own tools is shown as the plan; true where nothing else is to be shown of it. */
function addPlanned(rows: Row[], made: MadeCall, calls: Calls): boolean {
  if (made.result !== undefined && made.result.status !== "ok") return false;
  if (made.call.tool === "exit_plan_mode") return addSubmitted(rows, made, calls);
  return made.call.tool === "update_plan" && addUpdate(rows, made, calls);
}

function addSubmitted(rows: Row[], { call: { callId, args } }: MadeCall, calls: Calls): boolean {
  const title = args?.["title"];
  if (typeof title !== "string" || title === "") return false;
  calls.plan = { kind: "plan", key: `plan-${callId}`, title, steps: stepsIn(args), isLatest: false };
  rows.push(calls.plan);
  return true;
}

function addUpdate(rows: Row[], { call: { callId, args }, result }: MadeCall, calls: Calls): boolean {
  if (args === undefined) return false; // its call lies beyond the entries that were read
  if (result === undefined) return true; // a moment, and the card changes
  if (calls.plan !== undefined && !isOther(calls.plan, args)) {
    calls.plan.steps = stepsAfter(calls.plan.steps, args);
    return true;
  }
  calls.plan = { kind: "plan", key: `plan-${callId}`, title: "", steps: stepsIn(args), isLatest: false };
  rows.push(calls.plan);
  return true;
}

/** After a plan that is done, steps that are open again belong to another. */
const isOther = ({ steps }: PlanRow, args: JsonObject | undefined): boolean =>
  areClosed(steps) && !areClosed(stepsAfter(steps, args));

function addRows(rows: Row[], { n, atMs, entry }: HistoryItem, calls: Calls): void {
  const { results, called } = calls;
  switch (entry.kind) {
    case "input":
      for (const { id, from, text, attachments } of entry.messages) {
        const files = attachments === undefined ? {} : { attachments };
        rows.push({ kind: "asked", key: `${n}-${id}`, from, text, atMs, ...files });
      }
      return;
    case "assistant":
      if (entry.text.trim() !== "") {
        rows.push({ kind: "said", key: String(n), text: entry.text, atMs, goesOn: isAgent(rows.at(-1)) });
      }
      for (const call of entry.calls) {
        const row: CallRow = { kind: "call", key: `call-${call.callId}`, call, result: results.get(call.callId) };
        if (!addPlanned(rows, row, calls)) rows.push(row);
      }
      return;
    case "call":
      if (!addPlanned(rows, { call: entry, result: results.get(entry.callId) }, calls))
        addNested(rows, { ...entry, result: results.get(entry.callId) });
      return;
    case "call-result":
      if (!called.has(entry.callId)) addNested(rows, { ...entry, result: entry });
      return;
    case "result":
      // its call lies beyond the entries that were read: shown by itself until they are
      if (!called.has(entry.callId)) {
        rows.push({
          kind: "call",
          key: `call-${entry.callId}`,
          call: { callId: entry.callId, tool: entry.tool },
          result: entry,
        });
      }
      return;
    case "notice":
      if (ENTERED.test(entry.text)) calls.plan = undefined;
      rows.push(...noticeRows(n, entry));
      return;
    case "summary":
      rows.push({ kind: "summary", key: String(n) });
  }
}

function noticeRows(n: number, { text, said = [], level }: EntryOf<"notice">): Row[] {
  return FROZEN_LINE.test(text) ? [] : [{ kind: "notice", key: String(n), text, said, isError: level === "error" }];
}

type OthersCall = CallRow["call"] & { parentCallId?: string; result: CallRow["result"] };

/** A call that the model did not make itself stands under the one that it was made in. */
function addNested(rows: Row[], { callId, tool, args, parentCallId, result }: OthersCall): void {
  const call = args === undefined ? { callId, tool } : { callId, tool, args };
  const row: CallRow = { kind: "call", key: `call-${callId}`, call, result };
  if (parentCallId === undefined) return void rows.push(row);
  const at = rows.findLastIndex(
    (other) => other.kind === "call" && (other.call.callId === parentCallId || other.parentCallId === parentCallId),
  );
  rows.splice(at === -1 ? rows.length : at + 1, 0, { ...row, parentCallId });
}
