/** What accompanies a command into the engine: its actor and its idempotency key. */
import type { Actor } from "../protocol/actor.ts";

/** On whose behalf a command runs. */
export type Dispatch = {
  actor: Actor;
  /** The caller's key and the digest of the whole request, so that the key answers for this request only. */
  idempotency?: { key: string; requestDigest: string };
};
