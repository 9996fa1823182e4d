/** Records the outcome of a batch: the cursor, a row for each receipt, what is in doubt, and what is wrong. */
import type { DeliveryItem, DeliveryReceipt, DeliveryResult } from "../plugins/api/channel.ts";
import type { Delivery, Subscriber } from "../store/deliveries.ts";
import type { Planned } from "./plan-batch.ts";

const RETRY_FIRST_MS = 1_000;
const RETRY_MS_MAX = 60_000;
/** A vendor may ask for longer than our own back-off, but not for ever. */
const RETRY_HINT_MS_MAX = 3_600_000;
const DETAIL_CHARS_MAX = 500;

export type Ended = { subscriber: Subscriber; deliveries: Delivery[] };

/** `result` undefined: the channel threw or took too long, so everything in the batch may have been sent. */
export type Outcome = { result: DeliveryResult } | { lost: string };

export function recordReceipts(before: Subscriber, planned: Planned, at: { outcome: Outcome; atMs: number }): Ended {
  const { items } = planned;
  const { outcome, atMs } = at;
  const receipts = "result" in outcome ? matching(items, outcome.result.receipts) : [];
  const rows = new Map(planned.rows.map((row) => [row.key, row]));
  const done = receipts.flatMap((receipt, index): Delivery[] => {
    const item = items[index];
    return item === undefined ? [] : [rowOf({ item, receipt, row: rows.get(item.key) }, before, atMs)];
  });
  const left = items.slice(receipts.length);
  const settled = new Set(receipts.map(({ key }) => key));
  return {
    subscriber: {
      ...before,
      cursor: left.length === 0 ? Math.max(planned.cursor, before.cursor) : cursorAfter(receipts, planned, before),
      attempt: null,
      doubted: [...new Set([...before.doubted.filter((key) => !settled.has(key)), ...doubtedIn(left, outcome)])],
      trouble: left.length === 0 ? null : troubleOf(before, { outcome, atMs, moved: receipts.length > 0 }),
      counts: {
        maybeSent: before.counts.maybeSent + countOf(receipts, "maybe-sent"),
        failed: before.counts.failed + countOf(receipts, "failed"),
      },
    },
    deliveries: done,
  };
}

/** Receipts must be in the order of the items; after one that does not fit, the rest are ignored. */
function matching(items: readonly DeliveryItem[], receipts: readonly DeliveryReceipt[]): DeliveryReceipt[] {
  const wrong = receipts.findIndex(({ key }, index) => items[index]?.key !== key);
  return receipts.slice(0, wrong < 0 ? items.length : wrong);
}

function cursorAfter(receipts: readonly DeliveryReceipt[], { cursors }: Planned, before: Subscriber): number {
  return Math.max(before.cursor, ...receipts.map(({ key }) => cursors.get(key) ?? 0));
}

function doubtedIn(left: readonly DeliveryItem[], outcome: Outcome): string[] {
  if ("lost" in outcome) return left.map(({ key }) => key);
  const [first] = left;
  return first !== undefined && outcome.result.stopped?.maybeSent === true ? [first.key] : [];
}

type Kept = Pick<Delivery, "messageId" | "revisionHash" | "buttons" | "receipt" | "drawn" | "readBy" | "offered">;
type Settled = { item: DeliveryItem; receipt: DeliveryReceipt; row: Delivery | undefined };

/** A card's row was stored before it was sent; a text has none yet. */
function rowOf({ item, receipt, row }: Settled, { id }: Subscriber, atMs: number): Delivery {
  const { key, kind, sessionId } = item;
  const before: Kept = row ?? { messageId: null, revisionHash: "", buttons: {}, receipt: null };
  const detail = (receipt.detail ?? "").slice(0, DETAIL_CHARS_MAX);
  const open = item.kind === "card" && item.op !== "close";
  const messageId = receipt.messageId ?? before.messageId;
  const { drawn, ...rest } = before;
  const shown = open && drawn !== undefined ? { drawn } : {};
  const offered = receipt.offered === undefined ? {} : { offered: receipt.offered };
  return {
    ...rest,
    ...shown,
    ...offered,
    subscriberId: id,
    key,
    kind,
    sessionId,
    messageId,
    state: receipt.state,
    open,
    atMs,
    detail,
  };
}

type Why = { outcome: Outcome; atMs: number; moved: boolean };

/** Waits longer each time; any progress starts the waits anew. */
function troubleOf({ trouble }: Subscriber, { outcome, atMs, moved }: Why): Subscriber["trouble"] {
  const earlier = moved ? null : trouble;
  const tries = (earlier?.tries ?? 0) + 1;
  const backOffMs = Math.min(RETRY_FIRST_MS * 2 ** (tries - 1), RETRY_MS_MAX);
  const hintMs = "result" in outcome ? outcome.result.stopped?.retryAfterMs : undefined;
  const waitMs = hintMs === undefined ? backOffMs : Math.min(Math.max(hintMs, 0), RETRY_HINT_MS_MAX);
  const why = "lost" in outcome ? outcome.lost : (outcome.result.stopped?.why ?? "not everything has a receipt");
  return {
    sinceMs: earlier?.sinceMs ?? atMs,
    tries,
    retryAtMs: atMs + waitMs,
    why: why.slice(0, DETAIL_CHARS_MAX),
  };
}

const countOf = (receipts: readonly DeliveryReceipt[], state: DeliveryReceipt["state"]): number =>
  receipts.filter((receipt) => receipt.state === state).length;
