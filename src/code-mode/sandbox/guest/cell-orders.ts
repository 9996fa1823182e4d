/** What the gateway orders of a worker, and what the prelude answers it: each is JSON of our own code, checked by its main field. */
import type { CellLimits } from "../cell-limits.ts";
import type { CellBindings } from "../sandbox.ts";
import type { GuestEnd, GuestState } from "./prelude.ts";

type Answers = [callId: string, ok: boolean, json: string][];
export type RunOrder = { code: string; language: string; bindings: CellBindings; limits: CellLimits };
export type ResumeOrder = { answers: Answers; pending: string[]; limits: CellLimits };
export type AnswersOrder = { answers: Answers; parked: string[] };
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
export const readAnswersOrder = reader((value): value is AnswersOrder => has(value, "parked"));
export const readGuestState = reader((value): value is GuestState => has(value, "program"));
export const readGuestEnd = reader((value): value is GuestEnd => has(value, "value") || has(value, "failure"));
export const readQueued = reader((value): value is Queued[] => Array.isArray(value));
