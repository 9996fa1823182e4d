/**
 * A command sent twice under one key gets the same answer twice. The change itself is safe, because it carries the key;
 * but the second time the state has moved on, so the command's reply must be kept as well.
 */
import { z } from "zod";
import type { Clock } from "../engine/clock.ts";
import { KEY_REUSED, RecordedAnswer } from "../engine/answers.ts";
import type { Dispatch } from "../engine/dispatch.ts";
import { actorKey } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import { Refusal } from "../protocol/refusal.ts";
import { LocalizedLines } from "../protocol/localized/localized-lines.ts";
import { messageOf, type LocalizedLine, localized } from "../protocol/localized/localized-text.ts";
import type { Session } from "../protocol/session.ts";
import type { Commit, Idempotency, Store } from "../store/store.ts";

type CommandReply = { ok: true; message: string; said?: LocalizedLine[] } | { ok: false; refusal: Refusal };
export type Answered = { reply: CommandReply; applied: boolean };
export type AnswerOnce = (session: Session, by: Dispatch, run: () => Promise<Answered>) => Promise<CommandReply>;

const KeptReply = z.union([
  z.object({ ok: z.literal(true), message: z.string(), said: LocalizedLines.exactOptional() }),
  z.object({ ok: z.literal(false), refusal: Refusal }),
]);

/**
 * The answer recorded under the sender's key, if there is one: read before anything else that answering again would
 * need.
 */
export async function answerUnderKey(
  sessionId: SessionId,
  by: Dispatch,
  { store, clock }: { store: Pick<Store, "commit">; clock: Clock },
): Promise<RecordedAnswer | undefined> {
  if (by.idempotency === undefined) return undefined;
  const idempotency = { principal: actorKey(by.actor), ...by.idempotency, result: null };
  const nothing = { session: undefined, events: [], outbox: [], artifacts: [], audit: [], waiting: null };
  const place = { sessionId, expectedVersion: -1, atMs: clock.now(), recordOnly: false, vital: true };
  const found = await store.commit({ ...place, ...nothing, actor: idempotency.principal, idempotency });
  if (found.status === "key-reused") return { ok: false, refusal: KEY_REUSED };
  return found.status === "replayed" ? RecordedAnswer.safeParse(found.result).data : undefined;
}

export function createAnswerOnce({ store, clock }: { store: Store; clock: Clock }): AnswerOnce {
  const underWay = new Map<string, Promise<CommandReply>>();

  async function answer(session: Session, kept: Kept, run: () => Promise<Answered>): Promise<CommandReply> {
    const earlier = (await lookUp(session, kept.words)) ?? (await lookUp(session, kept.change));
    if (earlier !== undefined) return earlier;
    const { reply, applied } = await run();
    if (applied) await store.commit(commitOf(session, { ...kept.words, result: reply }, true));
    return reply;
  }

  /**
   * Commits on a version that cannot exist: the store answers with the record of the key, or with a conflict, and
   * writes nothing either way. A failure says nothing about the key; the change itself then shows whether it was
   * made.
   */
  async function lookUp(session: Session, idempotency: Idempotency): Promise<CommandReply | undefined> {
    const found = await store.commit(commitOf(session, idempotency, false));
    if (found.status === "key-reused") return { ok: false, refusal: KEY_REUSED };
    return found.status === "replayed" ? replyIn(found.result) : undefined;
  }

  function commitOf(session: Session, idempotency: Idempotency, recordOnly: boolean): Commit {
    const nothing = { events: [], outbox: [], artifacts: [], audit: [], waiting: null };
    const place = { sessionId: session.id, session, expectedVersion: -1, atMs: clock.now() };
    return { ...place, ...nothing, recordOnly, actor: idempotency.principal, vital: true, idempotency };
  }

  return async (session, by, run) => {
    if (by.idempotency === undefined) return (await run()).reply;
    const kept = keptUnder(by, by.idempotency);
    const place = JSON.stringify([kept.change.principal, kept.change.key]);
    const first = underWay.get(place);
    if (first !== undefined) return first.then(() => answer(session, kept, run)); // the first has recorded its answer
    const mine = answer(session, kept, run).finally(() => underWay.delete(place));
    underWay.set(place, mine);
    return mine;
  };
}

type Kept = { change: Idempotency; words: Idempotency };

function keptUnder(by: Dispatch, { key, requestDigest }: { key: string; requestDigest: string }): Kept {
  const principal = actorKey(by.actor);
  return {
    change: { principal, key, requestDigest, result: null },
    words: { principal, key: `${key}#words`, requestDigest, result: null },
  };
}

function replyIn(kept: unknown): CommandReply {
  const words = KeptReply.safeParse(kept);
  if (words.success) return words.data;
  const outcome = RecordedAnswer.parse(kept);
  return outcome.ok ? { ok: true, ...messageOf(localized("doneAlready")) } : outcome;
}
