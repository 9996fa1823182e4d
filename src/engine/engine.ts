/**
 * The one loop: command in → the core decides → one commit → listeners hear the events, the outbox and the timers run.
 *
 * A lane per session keeps commands of one session in order; across processes the version in the commit does. Whoever
 * loses that race loads the session again and decides again, so of any number of conflicting decisions one wins.
 */
import { step, type Step } from "../core/step.ts";
import { FRESH_STRINGS, type SliceRegistry } from "../core/slice.ts";
import type { Actor } from "../protocol/actor.ts";
import type { CardText } from "../protocol/card/card.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import { type Refusal, RefusalError, type Refused } from "../protocol/refusal.ts";
import type { Session, SessionCommand } from "../protocol/session.ts";
import type { Store, StoredEvent, StoredSession } from "../store/store.ts";
import { refuseAltered } from "./refuse-altered.ts";
import { BUSY, DRAINING, failureRefusal, KEY_REUSED, RecordedAnswer, REVOKED } from "./answers.ts";
import type { Clock } from "./clock.ts";
import { startsWork } from "./vital-commands.ts";
import type { Dispatch } from "./dispatch.ts";
import { type Committed, createCommitFeed, type CommitFeed } from "./commit-feed.ts";
import { createFreshStrings } from "./fresh-strings.ts";
import { createLanes } from "../lane/lane.ts";
import { createSessionCache } from "./session-cache.ts";
import { createSessionDescriptions, type SessionDescriptions } from "./session-descriptions.ts";
import { toCommit } from "./to-commit.ts";

/** How often a command is decided anew because another node committed first. */
const CONFLICT_RETRIES_MAX = 50;

export type Outcome =
  | { ok: true; reply: Json; session: Session | undefined }
  | { ok: false; refusal: Refusal; session?: Session | undefined };

export type EngineParts = {
  store: Store;
  slices: SliceRegistry;
  clock: Clock;
  /** Settings of every slice, resolved for one session. */
  settingsFor(
    session: Pick<Session, "agentId" | "surface" | "instance" | "role" | "kind">,
  ): Readonly<Record<string, unknown>>;
  /** What every card has to say besides. Absent: nothing. */
  cardWarnings?: () => readonly CardText[];
  /** Strings of 128 random bits; tests hand in predictable ones. */
  freshString?: () => string;
  /**
   * Checked when a command is about to be decided, which may be some time after it was accepted. Absent: everybody may
   * act.
   */
  mayAct?(actor: Actor): boolean;
  /** Ids of operators and of passkeys that were revoked; the same set for as long as the engine lives. */
  revoked?: ReadonlySet<string>;
  /** Whether other processes may commit to the same store: then every read must be fresh. */
  shared: boolean;
};

export type Engine = CommitFeed &
  SessionDescriptions & {
    dispatch(sessionId: SessionId, command: SessionCommand, by: Dispatch): Promise<Outcome>;
    /** The session as it was when its last commit was acknowledged. */
    session(id: SessionId): Promise<Session | undefined>;
    /** Resolves when the commits to it that are under way are acknowledged: the store shows them to readers before. */
    settled(id: SessionId): Promise<void>;
    slices: SliceRegistry;
    /** Accepts no new work from here on: no message, no turn, no mutating call. Decisions and results are still accepted. */
    hold(): void;
    /** Holds, and resolves when everything that was running has committed. */
    drain(): Promise<void>;
  };

const NOBODY: ReadonlySet<string> = new Set();

type Taken = { answer: Step; stored: StoredSession | undefined; events: StoredEvent[] };

const committed = (sessionId: SessionId, { answer, stored, events }: Taken): Committed => {
  const { session, logged } = answer;
  return { sessionId, session, events, before: stored?.session, ...(logged.length === 0 ? {} : { logged }) };
};

/** A session that cannot be read is refused like any other; what else is thrown is a bug. */
function refused(error: unknown): Outcome {
  if (error instanceof RefusalError) return { ok: false, refusal: error.refusal };
  throw error;
}

/** What the command says about the session that it creates, where there is none yet. */
function createdBy(command: SessionCommand) {
  if (command.type === "session.create") return command;
  return command.type === "message.send" ? command.creates : undefined;
}

/** A message that creates its session is two steps, and no id is given twice. */
const freshCount = (command: SessionCommand): number =>
  command.type === "message.send" && command.creates !== undefined ? 2 * FRESH_STRINGS : FRESH_STRINGS;

type Question = { command: SessionCommand; by: Dispatch; nowMs: number };

export function createEngine(parts: EngineParts): Engine {
  const { store, slices, clock, shared, revoked = NOBODY } = parts;
  const lanes = createLanes();
  const cache = createSessionCache({ store, shared });
  const { publish, delivered, ...commitFeed } = createCommitFeed(store);
  const freshString = parts.freshString ?? createFreshStrings();
  let draining = false;

  function decideOn(stored: StoredSession | undefined, { command, by, nowMs }: Question): Step | Refused {
    const subject = stored?.session ?? createdBy(command);
    const settings = subject === undefined ? {} : parts.settingsFor(subject);
    const fresh = Array.from({ length: freshCount(command) }, freshString);
    return step(stored?.session, command, { context: { nowMs, actor: by.actor, fresh, settings, revoked }, slices });
  }

  async function attempt(sessionId: SessionId, command: SessionCommand, by: Dispatch): Promise<Outcome | "conflict"> {
    const stored = await cache.load(sessionId);
    if (parts.mayAct?.(by.actor) === false) return { ok: false, refusal: REVOKED };
    const atMs = clock.now(); // of the decision: a commit that is on its way for too long is decided again
    const answer = decideOn(stored, { command, by, nowMs: atMs });
    if ("refused" in answer && (by.idempotency === undefined || answer.refused.retry === true))
      return { ok: false, refusal: answer.refused }; // if this were recorded, every retry under the same key would get "try again"
    const altered = "refused" in answer ? undefined : await refuseAltered(stored, command, { store, slices });
    if (altered !== undefined) return { ok: false, refusal: altered };
    const committing = store.commit(toCommit({ sessionId, stored, answer, command, by, atMs }, slices));
    by.underWay?.();
    const result = await committing;
    switch (result.status) {
      case "conflict":
        cache.forget(sessionId);
        return "conflict";
      case "failed":
        cache.forget(sessionId);
        return { ok: false, refusal: failureRefusal(result.failure) };
      case "key-reused":
        return { ok: false, refusal: KEY_REUSED };
      case "replayed":
        cache.forget(sessionId); // the store may have taken this very commit and lost the reply: what was loaded is older
        return { ...RecordedAnswer.parse(result.result), session: (await cache.load(sessionId))?.session };
      case "committed":
        if ("refused" in answer) return { ok: false, refusal: answer.refused };
        cache.keep(sessionId, answer.session, result.version);
        publish(committed(sessionId, { answer, stored, events: result.events }), result.version);
        return { ok: true, reply: answer.reply, session: answer.session };
    }
  }

  async function untilSettled(sessionId: SessionId, command: SessionCommand, by: Dispatch): Promise<Outcome> {
    for (let tries = 0; tries < CONFLICT_RETRIES_MAX; tries++) {
      const outcome = await attempt(sessionId, command, by);
      if (outcome !== "conflict") return outcome;
    }
    return { ok: false, refusal: BUSY };
  }

  return {
    async dispatch(sessionId, command, by) {
      if (draining && startsWork(command)) return { ok: false, refusal: DRAINING };
      const outcome = await lanes.run(sessionId, () => untilSettled(sessionId, command, by)).catch(refused);
      await delivered(); // outside of the lane, which the turn that was requested needs
      return outcome;
    },
    session: async (id) => (cache.peek(id) ?? (await lanes.run(id, () => cache.load(id))))?.session,
    settled: (id) => lanes.run(id, async () => undefined),
    ...createSessionDescriptions(parts),
    slices,
    ...commitFeed,
    hold: () => void (draining = true),
    async drain() {
      draining = true;
      await lanes.idle().then(delivered);
    },
  };
}
