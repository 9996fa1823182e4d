/** The transcript's entries as lines, and which tool runs at the moment. */
import type { Entry, EntryOf, ToolCall } from "../../protocol/transcript-entry.ts";
import type { Look } from "../text/paint.ts";
import { sanitise } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";
import { MARKS } from "../cards/marks.ts";
import { createSpeech, type Speech } from "./speech.ts";
import { toolLines } from "../cards/tool-line.ts";

const CALLS_KEPT_MAX = 200;

export type EntryLines = {
  lines(entry: Entry, look: Look): string[];
  speech: Speech;
  running(): ToolCall | undefined;
  /** No call is under way any more. */
  rest(): void;
};

/** The lines that every channel gets alike; where cards are drawn, they say the same a second time. */
const FROZEN_LINE = /^\[plan-mode\] /;

export function createEntryLines({ frozenLines }: { frozenLines: boolean }): EntryLines {
  const calls = new Map<string, ToolCall>();
  const open = new Set<string>();
  const speech = createSpeech();

  function spoken(entry: EntryOf<"assistant">, look: Look): string[] {
    for (const call of entry.calls) begin(call);
    return speech.finish(entry.text, look);
  }

  function opened({ callId, tool, args }: EntryOf<"call">): string[] {
    begin({ callId, tool, args });
    return [];
  }

  function begin(call: ToolCall): void {
    calls.set(call.callId, call);
    open.add(call.callId);
    for (const stale of [...calls.keys()].slice(0, Math.max(calls.size - CALLS_KEPT_MAX, 0))) calls.delete(stale);
  }

  function closed(entry: EntryOf<"result"> | EntryOf<"call-result">, look: Look): string[] {
    open.delete(entry.callId);
    const call = calls.get(entry.callId) ?? { callId: entry.callId, tool: entry.tool, args: {} };
    return toolLines({ call, status: entry.status, content: entry.content }, look);
  }

  return {
    speech,
    lines(entry, look) {
      switch (entry.kind) {
        case "input":
          return [];
        case "assistant":
          return spoken(entry, look);
        case "call":
          return opened(entry);
        case "result":
        case "call-result":
          return closed(entry, look);
        case "notice":
          if (!frozenLines && FROZEN_LINE.test(entry.text)) return [];
          return noticeLines(entry, look);
        case "summary":
          return noteLines("The older part of the conversation was summarised for the model.", look);
      }
    },
    running: () => [...open].flatMap((callId) => calls.get(callId) ?? []).at(-1),
    rest: () => open.clear(),
  };
}

/** The one line that tells the end of a plan. */
const COMPLETED = "planComplete";

/** What went wrong looks like it, and so does what is done. */
function noticeLines({ text, level, said = [] }: EntryOf<"notice">, look: Look): string[] {
  const { columns, paint } = look;
  if (level === "error") return ["", ...hang(`${MARKS.bad} `, sanitise(text), columns).map(paint.bad)];
  if (said.some(({ key }) => key === COMPLETED))
    return ["", ...hang(`${MARKS.good} `, sanitise(text), columns).map(paint.good)];
  return noteLines(text, look);
}

const noteLines = (text: string, { columns, paint }: Look): string[] =>
  hang(`${MARKS.note} `, sanitise(text), columns).map(paint.quiet);

/** What a person wrote, as it stays on the screen. */
export function echoLines(text: string, { columns, paint }: Look): string[] {
  const lines = hang("› ", sanitise(text), columns);
  return ["", ...lines.map((line, at) => (at === 0 ? paint.accent("›") + line.slice(1) : line))];
}
