/** Translates a failed write of the store into a refusal. */
import { failureRefusal } from "../../engine/answers.ts";
import { RefusalError, type Refused } from "../../protocol/refusal.ts";
import type { CommitResult } from "../../store/store.ts";

/** The refusal for a failed write; undefined when it succeeded. */
export function storeRefusal(result: CommitResult): Refused | undefined {
  if (result.status === "committed" || result.status === "replayed") return undefined;
  if (result.status !== "failed") throw new Error(`unexpected answer of the store: ${result.status}`);
  return { refused: failureRefusal(result.failure) };
}

/** The store did not take a write, and the caller can only stop. */
export class StoreRefused extends RefusalError {
  override readonly name = "StoreRefused";
}
