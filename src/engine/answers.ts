/** The engine's own answers to a command: recorded ones, and refusals that no slice decides. */
import { z } from "zod";
import { Json } from "../protocol/json.ts";
import { Refusal } from "../protocol/refusal.ts";
import type { StoreFailure } from "../store/store.ts";

/** What an idempotency record holds: the answer without the session, which may have moved on since. */
export const RecordedAnswer = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), reply: Json }),
  z.strictObject({ ok: z.literal(false), refusal: Refusal }),
]);
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

export const KEY_REUSED: Refusal = {
  code: "IDEMPOTENCY_KEY_REUSED",
  message: "This idempotency key was used for another request. Use a new key for a new request.",
};
export const BUSY: Refusal = {
  code: "SESSION_BUSY",
  message: "Too many writers on this session at once. Try again.",
  retry: true,
};
export const DRAINING: Refusal = {
  code: "DRAINING",
  message: "The gateway is stopping. Reconnect and try again.",
  retry: true,
};

export const REVOKED: Refusal = {
  code: "UNAUTHENTICATED",
  message: "This token was revoked before the request was carried out. Nothing was changed.",
};

export function failureRefusal(failure: StoreFailure): Refusal {
  const { reason, outcome, message } = failure;
  const details = { reason, outcome };
  if (reason === "damaged") return { code: "STORE_DAMAGED", message, details }; // only a restored backup helps
  return { code: reason === "full" ? "STORE_FULL" : "STORE_UNAVAILABLE", message, retry: true, details };
}
