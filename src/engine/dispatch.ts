/** What accompanies a command into the engine: its actor and its idempotency key. */
import type { Actor } from "../protocol/actor.ts";

export type Dispatch = {
  actor: Actor;
  /** The caller's key with the digest of the whole request: using the key for another request is refused. */
  idempotency?: { key: string; requestDigest: string };
  /** Called when the commit is on its way to the store, which may still refuse it: for what can be read meanwhile. */
  underWay?(): void;
};
