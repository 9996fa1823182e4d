/** The stored transcript as a model may see it: bounded, whole (every call with its result), and without what only people see. */
import type { Entry, EntryOf, ToolCall } from "../protocol/transcript-entry.ts";

export const HISTORY_ENTRIES_MAX = 400;
export const HISTORY_CHARS_MAX = 600_000;

const MISSING_RESULT = "[No result was recorded for this call. Whether it ran is unknown: look before you repeat it.]";

/** What a model is sent. Providers refuse a call without a result and a result without its call, so both are mended. */
export function transcriptForModel(entries: readonly Entry[], charsMax: number = HISTORY_CHARS_MAX): Entry[] {
  return recent(repaired(summaryFirst(entries), charsMax), charsMax);
}

/** The calls of a transcript that have no result, which a model is sent a placeholder for. */
export function callsWithoutResult(entries: readonly Entry[]): ToolCall[] {
  const answered = new Set(entries.flatMap((entry) => (entry.kind === "result" ? [entry.callId] : [])));
  return entries.flatMap((entry) =>
    entry.kind === "assistant" ? entry.calls.filter(({ callId }) => !answered.has(callId)) : [],
  );
}

/** The latest summary stands before what it does not cover, as an input; those before it are covered by it. */
function summaryFirst(entries: readonly Entry[]): Entry[] {
  const latest = entries.findLast((entry) => entry.kind === "summary");
  const talk = entries.filter(
    (entry) => entry.kind === "input" || entry.kind === "assistant" || entry.kind === "result",
  );
  if (latest?.kind !== "summary") return talk;
  const text = [latest.text, latest.asked].filter((part) => part !== "").join("\n\n");
  return [{ kind: "input", turnId: latest.turnId, text, injectionIds: [], messages: [] }, ...talk];
}

/** A step: a message or an input, and the results that belong to it. Never split. */
type Step = { head: EntryOf<"input"> | EntryOf<"assistant">; results: EntryOf<"result">[] };

function repaired(entries: readonly Entry[], charsMax: number): Step[] {
  const steps: Step[] = [];
  for (const entry of entries) {
    if (entry.kind === "input" || entry.kind === "assistant") steps.push({ head: entry, results: [] });
    else if (entry.kind === "result") steps.at(-1)?.results.push(entry);
  }
  return steps.map(({ head, results }) => ({
    head,
    results: fitting(
      callsOf(head).map((call) => resultOf(call, head, results)),
      charsMax,
    ),
  }));
}

const callsOf = (head: Step["head"]): readonly ToolCall[] => (head.kind === "assistant" ? head.calls : []);

function resultOf(call: ToolCall, head: Step["head"], results: readonly EntryOf<"result">[]): EntryOf<"result"> {
  const found = results.find((result) => result.callId === call.callId);
  const { turnId } = head;
  const { callId, tool } = call;
  return found ?? { kind: "result", turnId, callId, tool, status: "unknown", content: MISSING_RESULT };
}

/** Many calls of one answer may together bring more than a model takes: then each gets its share. */
function fitting(results: readonly EntryOf<"result">[], charsMax: number): EntryOf<"result">[] {
  const shareChars = Math.floor(charsMax / 2 / Math.max(1, results.length));
  return results.map((result) => {
    const text = typeof result.content === "string" ? result.content : JSON.stringify(result.content);
    if (text.length <= shareChars) return result;
    const head = text.slice(0, shareChars).toWellFormed();
    return { ...result, content: `${head}\n[cut here: ${shareChars} of ${text.length} characters are shown]` };
  });
}

/** The newest steps that fit. A model expects an input first, so the one of the turn that was cut into goes along. */
function recent(steps: readonly Step[], charsMax: number): Entry[] {
  let first = steps.length;
  for (let entries = 0, chars = 0; first > 0; first--) {
    const step = steps[first - 1];
    if (step === undefined) break;
    entries += 1 + step.results.length;
    chars += [step.head, ...step.results].reduce((sum, entry) => sum + charsOf(entry), 0);
    if (first < steps.length && (entries > HISTORY_ENTRIES_MAX || chars > charsMax)) break;
  }
  const kept = steps.slice(first);
  const input = kept[0]?.head.kind === "input" ? undefined : steps.slice(0, first).findLast(isInput);
  return [...(input === undefined ? [] : [input]), ...kept].flatMap(({ head, results }) => [head, ...results]);
}

/** A turn asks with the same entries again and again, and writing them all out takes longer than the rest. */
const knownChars = new WeakMap<Entry, number>();

function charsOf(entry: Entry): number {
  const known = knownChars.get(entry) ?? JSON.stringify(entry).length;
  knownChars.set(entry, known);
  return known;
}

const isInput = (step: Step): boolean => step.head.kind === "input";
