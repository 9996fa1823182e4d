/** One batch of one subscriber: planned, its attempt stored, handed to the channel, and its receipts stored. */
import { z } from "zod";
import { lazySchema } from "../protocol/lazy-schema.ts";
import type { Channel, DeliveryResult, Serving } from "../plugins/api/channel.ts";
import type { Delivery, StoredSubscriber, Subscriber } from "../store/deliveries.ts";
import type { CommitResult } from "../store/store.ts";
import type { Amend } from "./clicks.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { findWork } from "./find-work.ts";
import { OVER_BEFORE, type Planned } from "./plan-batch.ts";
import { type Outcome, recordReceipts } from "./record-receipts.ts";
import type { Next } from "./subscriber-queue.ts";
import type { Troubles } from "./troubles.ts";

/** A channel that has not answered by then is called again later; what it sent is unknown. */
const DELIVER_MS_MAX = 30_000;
/** Longer than a delivery can take: until then another gateway leaves the subscriber alone. */
const ATTEMPT_MS_MAX = 2 * DELIVER_MS_MAX;
const STORE_RETRY_MS = 1_000;
/** Most commits contain nothing for a subscriber, so its cursor is not stored after each of them. */
const PASSED_MAX = 100;

/** Somebody else's code made it: what is not so says nothing about what was sent. */
const Result: z.ZodType<DeliveryResult> = lazySchema(() =>
  z.object({
    receipts: z.array(
      z.object({
        key: z.string(),
        state: z.enum(["sent", "edited", "maybe-sent", "failed"]),
        messageId: z.string().min(1).optional(),
        detail: z.string().optional(),
        offered: z.enum(["whole", "part"]).optional(),
      }),
    ),
    stopped: z
      .object({
        why: z.string(),
        retryAfterMs: z.number().optional(),
        maybeSent: z.boolean().optional(),
      })
      .optional(),
  }),
);

type Parts = DeliveryParts & { troubles: Troubles; amend: Amend };
type Trying = Pick<DeliveryParts, "node" | "shared"> & { serving: Serving };

/** Undefined when there is no such subscriber any more. */
export async function deliverNext(id: string, parts: Parts): Promise<Next | undefined> {
  const { store, clock } = parts;
  const stored = await store.subscriber(id);
  if (stored === undefined) return undefined;
  const channel = parts.channel(stored.subscriber.place.surface);
  if (channel === undefined) return "rest"; // woken when its plugin is enabled
  const serving = channel.serves?.(stored.subscriber.place.account) ?? "anywhere";
  if (serving === "elsewhere") return "rest"; // woken when it is served here
  const notBeforeMs = heldUntilMs(stored.subscriber, { ...parts, serving });
  if (notBeforeMs > clock.now()) return { atMs: notBeforeMs };
  const subscriber = withDoubts(stored.subscriber);
  const planned = await findWork(subscriber, parts);
  if (planned.items.length === 0) return settle({ ...stored, subscriber }, planned, parts);
  const attempt = attemptOf(planned, parts);
  const begun = await store.saveSubscriber({
    subscriber: { ...subscriber, attempt },
    expectedVersion: stored.version,
    deliveries: planned.rows,
  });
  if (begun.status !== "committed") return tryAgain(begun, parts);
  return record(subscriber, planned, { parts, outcome: await handOver(channel, { subscriber, planned }, parts) });
}

/**
 * Until when the subscriber is left alone: another gateway may be sending, or the next try is not due. Where no other
 * gateway shares the store, or may send for this account, an attempt of another process is a dead one's.
 */
function heldUntilMs({ attempt, trouble }: Subscriber, { node, shared, serving }: Trying): number {
  const isOthers = shared && serving !== "here" && attempt !== null && attempt.node !== node;
  const held = isOthers ? attempt.untilMs : 0;
  return Math.max(held, trouble?.retryAtMs ?? 0);
}

/** An attempt that is still stored ended without a recorded result. */
const withDoubts = ({ attempt, ...subscriber }: Subscriber): Subscriber => ({
  ...subscriber,
  attempt: null,
  doubted: attempt === null ? subscriber.doubted : [...new Set([...subscriber.doubted, ...attempt.keys])],
});

const attemptOf = ({ items }: Planned, { node, clock }: DeliveryParts): Subscriber["attempt"] => ({
  node,
  untilMs: clock.now() + ATTEMPT_MS_MAX,
  keys: items.map(({ key }) => key),
});

/** Nothing to send: the cursor moves on, and cards that never got a message are closed in the store. */
async function settle({ subscriber, version }: StoredSubscriber, planned: Planned, parts: Parts): Promise<Next> {
  const { cursor, closed, more, passed } = planned;
  const { id, doubted, trouble, counts } = subscriber;
  const isWell = doubted.length === 0 && trouble === null;
  if (passed < PASSED_MAX && !more && closed.length === 0 && isWell) return "rest";
  const maybeSent = closed.filter(({ state }) => state === "maybe-sent").length;
  const saved = await parts.store.saveSubscriber({
    subscriber: {
      ...subscriber,
      cursor,
      doubted: more ? doubted : [], // what they were about is over
      trouble: null,
      counts: { ...counts, maybeSent: counts.maybeSent + maybeSent },
    },
    expectedVersion: version,
    deliveries: closed,
  });
  if (saved.status !== "committed") return tryAgain(saved, parts);
  tellUndelivered(closed, parts);
  parts.troubles.clear(id);
  return more ? "more" : "rest";
}

/** On a conflict it is read again at once; when the store fails, later. */
const tryAgain = ({ status }: CommitResult, { clock }: Parts): Next =>
  status === "conflict" ? "more" : { atMs: clock.now() + STORE_RETRY_MS };

type Recording = { outcome: Outcome; parts: Parts };

/** What was sent cannot be undone, so the receipts are written to the subscriber whatever has changed in it meanwhile. */
async function record({ id }: Subscriber, planned: Planned, { outcome, parts }: Recording): Promise<Next> {
  const { amend, clock, troubles } = parts;
  const end = { outcome, atMs: clock.now() };
  const ended: { deliveries: readonly Delivery[] } = { deliveries: [] };
  const after = await amend(id, (now) => Object.assign(ended, recordReceipts(now, planned, end)));
  if (after !== undefined)
    tellUndelivered(
      ended.deliveries.map((row) => whenLate(row, planned)),
      parts,
    );
  if (after === undefined || after.trouble === null) {
    troubles.clear(id);
    return "more";
  }
  troubles.note(after);
  return { atMs: after.trouble.retryAtMs };
}

/** Sent, but too late to be decided: what waited was not delivered. */
const whenLate = (row: Delivery, { late }: Planned): Delivery =>
  row.state === "sent" && late.has(row.key) ? { ...row, state: "failed", messageId: null, detail: OVER_BEFORE } : row;

/** A card that failed for good and never stood there. */
function tellUndelivered(rows: readonly Delivery[], { undelivered }: Parts): void {
  for (const { kind, state, messageId, subscriberId: placeId, sessionId, key: cardId, detail: why } of rows)
    if (kind === "card" && state === "failed" && messageId === null) undelivered?.({ sessionId, cardId, placeId, why });
}

type Leaving = { subscriber: Subscriber; planned: Planned };

async function handOver(
  channel: Pick<Channel, "deliver">,
  { subscriber, planned }: Leaving,
  { clock, report }: DeliveryParts,
): Promise<Outcome> {
  const { account, conversation } = subscriber.place;
  const ending = new AbortController();
  const late = Promise.withResolvers<never>();
  const callOff = clock.wakeAt(clock.now() + DELIVER_MS_MAX, () => {
    late.reject(new Error(`no answer within ${DELIVER_MS_MAX / 1_000} s`));
    ending.abort();
  });
  try {
    const batch = { place: { account, conversation }, items: planned.items, signal: ending.signal };
    const result = Result.safeParse(await Promise.race([channel.deliver(batch), late.promise]));
    if (result.success) return { result: result.data };
    throw new Error(`what it answered is no list of receipts: ${result.error.issues[0]?.path.join(".") ?? ""}`);
  } catch (error) {
    report(error, subscriber.id);
    return { lost: error instanceof Error ? error.message : String(error) };
  } finally {
    callOff();
  }
}
