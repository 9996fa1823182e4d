/** Turns the core's answer to a command into the commit that the store writes. */
import type { SliceRegistry, Waiting } from "../core/slice.ts";
import type { Step } from "../core/step.ts";
import { actorKey } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Refused } from "../protocol/refusal.ts";
import type { Session, SessionCommand } from "../protocol/session.ts";
import type { Commit, StoredSession } from "../store/store.ts";
import { isVital } from "./vital-commands.ts";
import type { RecordedAnswer } from "./answers.ts";
import type { Dispatch } from "./dispatch.ts";

export type Decided = {
  sessionId: SessionId;
  stored: StoredSession | undefined;
  answer: Step | Refused;
  command: SessionCommand;
  by: Dispatch;
  atMs: number;
};

/** One answer as one commit. A refusal is recorded too when the caller may repeat the request under the same key. */
export function toCommit(decided: Decided, slices: SliceRegistry): Commit {
  const { sessionId, stored, answer, command, by, atMs } = decided;
  const base = {
    sessionId,
    expectedVersion: stored?.version ?? 0,
    atMs,
    actor: actorKey(by.actor),
    vital: isVital(command, slices),
  };
  if ("refused" in answer) {
    const nothing = { session: stored?.session, events: [], outbox: [], artifacts: [], audit: [], waiting: null };
    return { ...base, recordOnly: true, ...nothing, ...record(by, { ok: false, refusal: answer.refused }) };
  }
  const { session, events, outbox, artifacts, audit, reply } = answer;
  const waiting = session === undefined ? null : waitingIn(session, slices);
  return {
    ...base,
    recordOnly: false,
    session,
    events,
    outbox,
    artifacts,
    audit,
    waiting,
    mode: session === undefined ? null : modeIn(session, slices),
    ...record(by, { ok: true, reply }),
  };
}

function record(by: Dispatch, result: RecordedAnswer): Pick<Commit, "idempotency"> {
  if (by.idempotency === undefined) return {};
  return { idempotency: { principal: actorKey(by.actor), ...by.idempotency, result } };
}

/** What waits for a person in this session, by the first slice that has anything waiting. */
export function waitingIn(session: Session, slices: SliceRegistry): Waiting | null {
  for (const slice of slices.values()) {
    const waiting = slice.describe?.waiting?.(session.slices[slice.name] ?? slice.initial);
    if (waiting !== undefined) return waiting;
  }
  return null;
}

/** The mode of this session, by the first slice that puts it in one; null in the normal one. */
export function modeIn(session: Session, slices: SliceRegistry): string | null {
  for (const slice of slices.values()) {
    const mode = slice.describe?.mode?.(session.slices[slice.name] ?? slice.initial);
    if (mode !== undefined) return mode;
  }
  return null;
}
