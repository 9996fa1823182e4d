/**
 * The one loop: command in → the core decides → one commit → listeners hear the events, the outbox and the timers run.
 *
 * A lane per session keeps commands of one session in order; across processes the version in the commit does. Whoever
 * loses that race loads the session again and decides again, so of any number of conflicting decisions one wins.
 */
import { randomBytes } from "node:crypto";
import type { Step } from "../core/step.ts";
import { step } from "../core/step.ts";
import { isVital, startsWork } from "./command-class.ts";
import { FRESH_STRINGS, type SliceRegistry, type Waiting } from "../core/slice.ts";
import { type Actor, actorKey } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Refusal, Refused } from "../protocol/refusal.ts";
import type { Session, SessionCommand } from "../protocol/session.ts";
import type { Commit, Store, StoredEvent, StoredSession, StoreFailure } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { createLanes } from "./lane.ts";
import { createSessionCache } from "./session-cache.ts";

/** How often a command is decided anew because another node committed first. */
const CONFLICT_RETRIES_MAX = 50;

export type Dispatch = {
  actor: Actor;
  /** The caller's key and the digest of the whole request, so that the key answers for this request only. */
  idempotency?: { key: string; requestDigest: string };
};

export type Outcome =
  | { ok: true; reply: Json; session: Session | undefined }
  | { ok: false; refusal: Refusal; session?: Session | undefined };

export type Committed = { sessionId: SessionId; session: Session | undefined; events: StoredEvent[] };

export type EngineParts = {
  store: Store;
  slices: SliceRegistry;
  clock: Clock;
  /** Settings of every slice, resolved for one session. */
  settingsFor(session: Pick<Session, "agentId" | "surface" | "role" | "kind">): Readonly<Record<string, unknown>>;
  /** Strings of 128 random bits; tests hand in predictable ones. */
  freshString?: () => string;
  /** Whether other processes may commit to the same store: then nothing read may be older than the question. */
  shared: boolean;
};

export type Engine = {
  dispatch(sessionId: SessionId, command: SessionCommand, by: Dispatch): Promise<Outcome>;
  /** The session as it is stored now. */
  session(id: SessionId): Promise<Session | undefined>;
  waiting(session: Session): Waiting | null;
  onCommitted(listener: (committed: Committed) => void): () => void;
  /** Refuses new work; resolves when what was under way has committed. */
  drain(): Promise<void>;
};

export function createEngine(parts: EngineParts): Engine {
  const { store, slices, clock } = parts;
  const lanes = createLanes();
  const cache = createSessionCache();
  const listeners = new Set<(committed: Committed) => void>();
  const freshString = parts.freshString ?? (() => randomBytes(16).toString("base64url"));
  let draining = false;

  async function load(id: SessionId): Promise<StoredSession | undefined> {
    const cached = parts.shared ? undefined : cache.get(id);
    if (cached !== undefined) return cached;
    const stored = await store.session(id);
    if (stored !== undefined) cache.set(id, stored);
    return stored;
  }

  function decideOn(stored: StoredSession | undefined, command: SessionCommand, by: Dispatch): Step | Refused {
    const subject = stored?.session ?? (command.type === "session.create" ? { ...command } : undefined);
    const settings = subject === undefined ? {} : parts.settingsFor(subject);
    const fresh = Array.from({ length: FRESH_STRINGS }, freshString);
    return step(stored?.session, command, {
      context: { nowMs: clock.now(), actor: by.actor, fresh, settings },
      slices,
    });
  }

  async function attempt(sessionId: SessionId, command: SessionCommand, by: Dispatch): Promise<Outcome | "conflict"> {
    const stored = await load(sessionId);
    const decided = decideOn(stored, command, by);
    const commit = toCommit({ sessionId, stored, decided, command, by });
    if (commit === undefined) return { ok: false, refusal: (decided as Refused).refused };
    const result = await store.commit(commit);
    switch (result.status) {
      case "conflict":
        cache.delete(sessionId);
        return "conflict";
      case "failed":
        cache.delete(sessionId);
        return { ok: false, refusal: failureRefusal(result.failure) };
      case "key-reused":
        return { ok: false, refusal: KEY_REUSED };
      case "replayed":
        return { ...(result.result as ReplayedOutcome), session: stored?.session };
      case "committed":
        if ("refused" in decided) return { ok: false, refusal: decided.refused };
        remember(sessionId, decided.session, result.version);
        publish({ sessionId, session: decided.session, events: result.events });
        return { ok: true, reply: decided.reply, session: decided.session };
    }
  }

  function remember(id: SessionId, session: Session | undefined, version: number): void {
    if (session === undefined) cache.delete(id);
    else cache.set(id, { session, version });
  }

  function publish(committed: Committed): void {
    for (const listener of listeners) listener(committed);
  }

  function toCommit(made: {
    sessionId: SessionId;
    stored: StoredSession | undefined;
    decided: Step | Refused;
    command: SessionCommand;
    by: Dispatch;
  }): Commit | undefined {
    const { sessionId, stored, decided, command, by } = made;
    const refused = "refused" in decided;
    if (refused && by.idempotency === undefined) return undefined;
    const base = {
      sessionId,
      expectedVersion: stored?.version ?? 0,
      recordOnly: refused,
      atMs: clock.now(),
      actor: actorKey(by.actor),
      vital: isVital(command, slices),
    };
    const empty = { session: stored?.session, events: [], outbox: [], artifacts: [], audit: [], waiting: null };
    const content = refused
      ? empty
      : { ...decided, waiting: decided.session === undefined ? null : waitingIn(decided.session) };
    const { session, events, outbox, artifacts, audit, waiting } = content;
    const commit = { ...base, session, events, outbox, artifacts, audit, waiting };
    if (by.idempotency === undefined) return commit;
    const result: ReplayedOutcome = refused
      ? { ok: false, refusal: decided.refused }
      : { ok: true, reply: decided.reply };
    return { ...commit, idempotency: { principal: actorKey(by.actor), ...by.idempotency, result } };
  }

  function waitingIn(session: Session): Waiting | null {
    for (const slice of slices.values()) {
      const waiting = slice.waiting?.(session.slices[slice.name] ?? slice.initial);
      if (waiting !== undefined) return waiting;
    }
    return null;
  }

  return {
    async dispatch(sessionId, command, by) {
      if (draining && startsWork(command)) return { ok: false, refusal: DRAINING };
      return lanes.run(sessionId, async () => {
        for (let tries = 0; tries < CONFLICT_RETRIES_MAX; tries++) {
          const outcome = await attempt(sessionId, command, by);
          if (outcome !== "conflict") return outcome;
        }
        return { ok: false, refusal: BUSY };
      });
    },
    session: async (id) => (await load(id))?.session,
    waiting: waitingIn,
    onCommitted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async drain() {
      draining = true;
      await lanes.idle();
    },
  };
}

type ReplayedOutcome = { ok: true; reply: Json } | { ok: false; refusal: Refusal };

const KEY_REUSED: Refusal = {
  code: "IDEMPOTENCY_KEY_REUSED",
  message: "This idempotency key was used for another request. Use a new key for a new request.",
};
const BUSY: Refusal = {
  code: "SESSION_BUSY",
  message: "Too many writers on this session at once. Try again.",
  retry: true,
};
const DRAINING: Refusal = {
  code: "DRAINING",
  message: "The gateway is stopping. Reconnect and try again.",
  retry: true,
};

function failureRefusal(failure: StoreFailure): Refusal {
  const code = failure.reason === "full" ? "STORE_FULL" : "STORE_UNAVAILABLE";
  return { code, message: failure.message, retry: true, details: { reason: failure.reason, outcome: failure.outcome } };
}
