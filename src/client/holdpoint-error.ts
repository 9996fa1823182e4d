/** The error that the client throws, for what the gateway refused and for what went wrong on this side of the wire. */
import type { Json } from "../protocol/json.ts";
import type { BundledRefusalCode } from "../bundled.ts";
import type { PluginRefusalCode, Refusal, RefusalCode } from "../protocol/refusal.ts";
import type { LocalizedLine } from "../protocol/localized/localized-text.ts";

/** What can go wrong on this side of the wire, besides everything that the gateway refuses. */
export const CLIENT_ERROR_CODES = [
  /** No gateway answers at this address. */
  "UNREACHABLE",
  /** The connection broke before the answer came, and the request is not one that may be sent twice. */
  "CONNECTION_LOST",
  "TIMED_OUT",
  "CLOSED",
] as const;
export type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];

type KnownCode = RefusalCode | BundledRefusalCode | PluginRefusalCode | ClientErrorCode;

/** The one error of this client: a code to branch on, and a sentence for people. */
export class HoldpointError extends Error {
  override readonly name = "HoldpointError";
  /** A newer gateway may send one that is not listed here: `message` says what is wrong all the same. */
  readonly code: KnownCode;
  /** True when the same request may succeed later, unchanged. */
  readonly retry: boolean;
  readonly details: { [key: string]: Json };
  /** The meaning of each line of the message, for translation; empty where the gateway did not send it. */
  readonly said: readonly LocalizedLine[];

  constructor(refusal: Refusal) {
    super(refusal.message);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type names the codes of this version for whoever branches on them
    this.code = refusal.code as KnownCode;
    this.retry = refusal.retry ?? false;
    this.details = refusal.details ?? {};
    this.said = refusal.said ?? [];
  }
}
