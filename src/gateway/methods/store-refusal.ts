/** Translates a failed write of the store into a refusal. */
import { failureRefusal } from "../../engine/answers.ts";
import type { Refusal, Refused } from "../../protocol/refusal.ts";
import type { CommitResult } from "../../store/store.ts";

/** What a caller is told when the store did not take something; undefined when it did. */
export function storeRefusal(result: CommitResult): Refused | undefined {
  if (result.status === "committed" || result.status === "replayed") return undefined;
  if (result.status !== "failed") throw new Error(`unexpected answer of the store: ${result.status}`);
  return { refused: failureRefusal(result.failure) };
}

/** For callers who can do nothing but stop: the refusal travels up to whoever answers the request. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
