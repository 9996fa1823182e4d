/** The error that the client throws, for what the gateway refused and for what went wrong on this side of the wire. */
import type { Json } from "../protocol/json.ts";
import type { Refusal, RefusalCode } from "../protocol/refusal.ts";
import type { LocalizedLine } from "../protocol/localized/localized-text.ts";

/** What can go wrong on this side of the wire, besides everything that the gateway refuses. */
export type ClientErrorCode =
  /** No gateway answers at this address. */
  | "UNREACHABLE"
  /** The connection broke before the answer came, and the request is not one that may be sent twice. */
  | "CONNECTION_LOST"
  | "TIMED_OUT"
  | "CLOSED";

/** The one error of this client: a code to branch on, and a sentence for people. */
export class HoldpointError extends Error {
  override readonly name = "HoldpointError";
  readonly code: RefusalCode | ClientErrorCode;
  /** True when the same request may succeed later, unchanged. */
  readonly retry: boolean;
  readonly details: { [key: string]: Json };
  /** The meaning of each line of the message, for translation; empty where the gateway did not send it. */
  readonly said: readonly LocalizedLine[];

  constructor(refusal: Omit<Refusal, "code"> & { code: RefusalCode | ClientErrorCode }) {
    super(refusal.message);
    this.code = refusal.code;
    this.retry = refusal.retry ?? false;
    this.details = refusal.details ?? {};
    this.said = refusal.said ?? [];
  }
}
