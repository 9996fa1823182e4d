/** What happened to each file, in order, and what a step or the whole plan came to: read off the journal. */
import { type Delta, isSameFile } from "./entry.ts";
import type { JournalLine, StepRef } from "./journal.ts";

/** A step by its number; null: none was in progress. */
export type StepKey = number | null;
/** Who changed a file: a step, somebody else, or a rollback. */
export type Cause = { kind: "step"; step: StepKey } | { kind: "others" } | { kind: "rollback" };

export type FileEvent = Pick<Delta, "before" | "after"> & { cause: Cause };

export type Net = Delta & {
  /** Somebody else changed it in between. */
  isMixed: boolean;
  /** A rollback put it back since. */
  isRestored: boolean;
};

type Line<Name extends JournalLine["line"]> = Extract<JournalLine, { line: Name }>;
export type RecordedCall = { begin: Line<"begin">; end: Line<"end"> | undefined };
export type RecordedRollback = { order: Line<"rollback">; done: Line<"restored"> | undefined };

export type History = {
  base: Line<"base"> | undefined;
  /** In the order in which they began. */
  calls: readonly RecordedCall[];
  steps: readonly (StepRef | null)[];
  files: ReadonlyMap<string, readonly FileEvent[]>;
  rollbacks: readonly RecordedRollback[];
};

export function historyOf(lines: readonly JournalLine[]): History {
  const calls = new Map<number, RecordedCall>();
  const rollbacks = new Map<string, RecordedRollback>();
  const files = new Map<string, FileEvent[]>();
  const add = (deltas: readonly Delta[], cause: Cause): void => {
    for (const { path, before, after } of deltas) {
      const events = files.get(path) ?? [];
      events.push({ before, after, cause });
      files.set(path, events);
    }
  };
  let base: Line<"base"> | undefined;
  for (const line of lines) {
    if (line.line === "base") base = line;
    else if (line.line === "begin") {
      calls.set(line.n, { begin: line, end: undefined });
      add(line.outside, { kind: "others" });
    } else if (line.line === "end") {
      const call = calls.get(line.n);
      if (call === undefined) continue;
      // a call that somebody else runs may be seen to end more than once
      call.end = call.end === undefined ? line : { ...line, changed: [...call.end.changed, ...line.changed] };
      add(line.changed, { kind: "step", step: call.begin.step?.index ?? null });
    } else if (line.line === "rollback") rollbacks.set(line.rollbackId, { order: line, done: undefined });
    else restored(line, { rollbacks, add });
  }
  const all = [...calls.values()];
  return { base, calls: all, steps: stepsIn(all), files, rollbacks: [...rollbacks.values()] };
}

function restored(
  line: Line<"restored">,
  { rollbacks, add }: { rollbacks: Map<string, RecordedRollback>; add(deltas: readonly Delta[], cause: Cause): void },
): void {
  const rollback = rollbacks.get(line.rollbackId);
  if (rollback !== undefined) rollback.done = line;
  add(line.changed, { kind: "rollback" });
}

function stepsIn(calls: readonly RecordedCall[]): (StepRef | null)[] {
  const steps = new Map<StepKey, StepRef | null>();
  for (const { begin } of calls) steps.set(begin.step?.index ?? null, begin.step ?? null);
  return [...steps.values()].toSorted((a, b) => (a?.index ?? Infinity) - (b?.index ?? Infinity));
}

const isOfStep = ({ cause }: FileEvent, step: StepKey | undefined): boolean =>
  cause.kind === "step" && (step === undefined || cause.step === step);

/** What a step changed in the end; undefined: all of them together. Changed and changed back is no change. */
export function netOf({ files }: Pick<History, "files">, step: StepKey | undefined): Net[] {
  return [...files].flatMap(([path, events]) => {
    const from = events.findIndex((event) => isOfStep(event, step));
    const to = events.findLastIndex((event) => isOfStep(event, step));
    const [first, last] = [events[from], events[to]];
    if (first === undefined || last === undefined || isSameFile(first.before, last.after)) return [];
    const isMixed = events
      .slice(from, to + 1)
      .some((event) => !isOfStep(event, step) && event.cause.kind !== "rollback");
    const { before } = first;
    const isRestored = events
      .slice(to + 1)
      .some(({ cause, after }) => cause.kind === "rollback" && isSameFile(after, before));
    return [{ path, before, after: last.after, isMixed, isRestored }];
  });
}

/** What others changed while the plan was carried out. */
export function outsideOf({ files }: Pick<History, "files">): Delta[] {
  return [...files].flatMap(([path, events]) => {
    const others = events.filter(({ cause }) => cause.kind === "others");
    const [first, last] = [others[0], others.at(-1)];
    return first === undefined || last === undefined ? [] : [{ path, before: first.before, after: last.after }];
  });
}

/** What happened to a file last. */
export const lastEvent = ({ files }: Pick<History, "files">, path: string): FileEvent | undefined =>
  files.get(path)?.at(-1);
