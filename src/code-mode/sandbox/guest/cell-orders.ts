/** What the gateway orders of a worker, and what the prelude answers it: each is JSON of our own code, checked by its main field. */
import type { CellLimits } from "../cell-limits.ts";
import type { Answer } from "../call-texts.ts";
import type { CellBindings } from "../sandbox.ts";
import type { GuestEnd, GuestState } from "./prelude.ts";

export type RunOrder = { code: string; language: string; bindings: CellBindings; limits: CellLimits };
export type ResumeOrder = { answers: Answer[]; pending: string[]; limits: CellLimits };
export type Queued = [callId: string, method: string, target: string];

const has = (value: unknown, field: string): boolean => value !== null && typeof value === "object" && field in value;

function reader<Order>(is: (value: unknown) => value is Order): (text: string) => Order {
  return (text) => {
    const value: unknown = JSON.parse(text);
    if (!is(value)) throw new Error("an order that is none");
    return value;
  };
}

export const readRunOrder = reader((value): value is RunOrder => has(value, "code"));
export const readResumeOrder = reader((value): value is ResumeOrder => has(value, "pending"));
export const readParked = reader((value): value is string[] => Array.isArray(value));
export const readGuestEnd = reader((value): value is GuestEnd => has(value, "value") || has(value, "failure"));
export const readQueued = reader((value): value is Queued[] => Array.isArray(value));

/** Those behind the count of calls are left out where all of them are 0. */
type StateFields = [
  program: number,
  asked: number,
  queued: number,
  firstCall: number,
  calls: number,
  timers: number,
  timerAtMs: number,
  yielded: number,
  tooMany: number,
];
const PROGRAMS = ["running", "returned", "threw"] as const;
const [LINE_END, COMMA, ZERO] = [0x0a, 0x2c, 0x30];

/**
 * Of the first line of what the order `state` answers: whole numbers. It is read byte by byte, as it comes for every call. Calls are asked in
 * the order of their numbers.
 */
export function readGuestState(answer: Uint8Array, headEnd: number): GuestState {
  const fields: StateFields = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  let field = 0;
  for (let at = 0; at < headEnd; at++) {
    const byte = answer[at] ?? COMMA;
    if (byte === COMMA) field += 1;
    else fields[field] = (fields[field] ?? 0) * 10 + byte - ZERO;
  }
  const [program, asked, queued, first, count, timers, timerAtMs, yielded, tooMany] = fields;
  const callIds: string[] = [];
  for (let number = first; number < first + count; number++) callIds.push(`c${number}`);
  const rare = { timers, timerAtMs, yielded: yielded === 1, tooMany: tooMany === 1 };
  return { program: PROGRAMS[program] ?? "threw", callIds, asked, queued, ...rare };
}

/** Where a first line ends. */
export function lineEnd(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && bytes[at] !== LINE_END) at += 1;
  return at;
}
