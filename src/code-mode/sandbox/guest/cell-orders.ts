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

const PROGRAMS = ["running", "returned", "threw"] as const;
type StateHead = [program: number, asked: number, queued: number, firstCall: number, calls: number, ...rare: Rare];
type Rare = [] | [timers: number, timerAtMs: number | null, yielded: boolean, tooMany: boolean];
const readStateHead = reader((value): value is StateHead => Array.isArray(value) && value.length >= 5);

/** Of the first line of what the order `state` answers. Calls are asked in the order of their numbers. */
export function readGuestState(head: string): GuestState {
  const [program, asked, queued, first, count, timers = 0, timerAtMs = null, yielded = false, tooMany = false] =
    readStateHead(head);
  const callIds = count === 0 ? [] : Array.from({ length: count }, (_none, at) => `c${first + at}`);
  return { program: PROGRAMS[program] ?? "threw", callIds, asked, queued, timerAtMs, timers, yielded, tooMany };
}
