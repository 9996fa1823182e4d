/** What an error of the server means for a write. */
import { RefusalError } from "../../protocol/refusal.ts";
import type { CommitResult, StoreFailure } from "../store.ts";
import { ConnectionError, sqlState } from "./connections.ts";

export const UNIQUE_VIOLATION = "23505";

const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01", "55P03"]); // serialisation, deadlock, lock time-out

/** Undefined: neither the server's nor the network's fault, so it is thrown. */
export function resultOfError(error: unknown): CommitResult | undefined {
  if (error instanceof ConnectionError) return failed(error.sent ? LOST : UNREACHABLE);
  const state = sqlState(error) ?? "";
  if (CONFLICTS.has(state)) return { status: "conflict" };
  if (state === "53100") return failed(FULL);
  if (state === "25006") return failed(READ_ONLY);
  if (state === "57014" || state.startsWith("53")) return failed(OVERLOADED);
  return undefined;
}

/** For a read, which has no result to put a failure into. */
export function troubleOf(error: unknown): RefusalError | undefined {
  const result = error instanceof ConnectionError ? undefined : resultOfError(error);
  if (result?.status !== "failed") return undefined;
  const { reason, message } = result.failure;
  const details = { reason, outcome: "unknown" };
  return new RefusalError({ code: "STORE_UNAVAILABLE", message, retry: true, details }, { cause: error });
}

const failed = (failure: StoreFailure): CommitResult => ({ status: "failed", failure });

const UNREACHABLE: StoreFailure = {
  reason: "unreachable",
  outcome: "nothing-written",
  message: "PostgreSQL cannot be reached: nothing was changed. The gateway connects again by itself; try again then.",
};
/** Nobody knows whether the server carried it out before the line broke. */
const LOST: StoreFailure = {
  reason: "unreachable",
  outcome: "unknown",
  message:
    "PostgreSQL did not answer in time. Send the same request with the same idempotency key to learn what became of it.",
};
const FULL: StoreFailure = {
  reason: "full",
  outcome: "nothing-written",
  message: "The disk of the PostgreSQL server is full: nothing was changed. Free some space there.",
};
const READ_ONLY: StoreFailure = {
  reason: "read-only",
  outcome: "nothing-written",
  message: "The PostgreSQL server accepts no writes (a stand-by, or set to read-only): nothing was changed.",
};
const OVERLOADED: StoreFailure = {
  reason: "unreachable",
  outcome: "nothing-written",
  message: "The PostgreSQL server is overloaded and gave up on this: nothing was changed. Try again.",
};
