/**
 * What a person has read of a session's plans, by the text of each part: a step that a new revision left as it was stays
 * read. This browser's own; it says nothing about anybody else.
 */
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { PlanBody, PlanRevision } from "../../../src/plan-mode/protocol/plan.ts";
import { type Place, SECTIONS_AFTER, SECTIONS_BEFORE, stepPlace, writtenAt } from "../notes/places.ts";

/** `revision`: the newest that was looked at; `seen`: all that it held, read or not. */
export type ReadMarks = { revision: number; seen: readonly string[]; read: readonly string[] };

const MARKS_MAX = 1_500;
const SESSIONS_MAX = 40;
const STORED_AS = "holdpoint.read";
const NONE: ReadMarks = { revision: 0, seen: [], read: [] };

/** Every part of a plan that is read by itself, in its order. */
export const partsOf = ({ plan }: PlanBody): Place[] => [
  ...SECTIONS_BEFORE,
  ...plan.map((_, index) => stepPlace(index + 1)),
  ...SECTIONS_AFTER,
];

/** Short, for thousands of them are kept; two texts that fall together cost a mark, nothing else (FNV-1a). */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

export function marksOf(body: PlanBody): ReadonlyMap<Place, string> {
  return new Map(
    partsOf(body).flatMap((place) => {
      const text = writtenAt(place, body);
      return text === undefined ? [] : [[place, markOf(text)] as const];
    }),
  );
}

/** The parts that are other than in what was looked at before; none for whoever sees a plan of this session first. */
export function newParts(
  { revision, body }: PlanRevision,
  { revision: before, seen, read }: ReadMarks,
): ReadonlySet<Place> {
  if (before === 0 || before >= revision) return new Set();
  const known = new Set([...seen, ...read]);
  return new Set([...marksOf(body)].filter(([, mark]) => !known.has(mark)).map(([place]) => place));
}

type Stored = Record<string, ReadMarks>;

function stored(): Stored {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this module wrote it, and nobody else can
    return JSON.parse(localStorage.getItem(STORED_AS) ?? "{}") as Stored;
  } catch {
    return {};
  }
}

export const readMarks = (sessionId: SessionId): ReadMarks => stored()[sessionId] ?? NONE;

export function keepMarks(sessionId: SessionId, { revision, seen, read }: ReadMarks): void {
  const { [sessionId]: _old, ...others } = stored();
  const marks = { revision, seen: seen.slice(-MARKS_MAX), read: read.slice(-MARKS_MAX) };
  const kept = Object.fromEntries([...Object.entries(others).slice(-SESSIONS_MAX), [sessionId, marks]]);
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(kept));
  } catch {
    // no room in this browser: the marks last as long as the page is open
  }
}
