/**
 * What a subscriber is to be sent next, computed from what is stored: texts in the order of their events, then the cards
 * as they stand now. Nothing is sent here.
 */
import type { DeliveryItem, DrawnCard } from "../plugins/api/channel.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Delivery, Subscriber } from "../store/deliveries.ts";
import type { StoredEvent } from "../store/store.ts";
import { tokenHash } from "../plugins/button-code.ts";
import { newToken } from "./button-tokens.ts";
import type { Card } from "./card.ts";

const ITEMS_MAX = 20;
export const OVER_BEFORE = "It was over before it could be sent.";
/** Tokens of unfinished attempts that are kept for one card; older ones are forgotten. */
const BUTTONS_MAX = 64;

export type Planned = {
  items: DeliveryItem[];
  /** Delivery rows that must be stored before the batch is sent. */
  rows: Delivery[];
  /** Cards that close without sending anything. */
  closed: Delivery[];
  /** Cards that are sent for the first time when nothing can be done on them any more. */
  late: ReadonlySet<string>;
  /** The cursor of each text's event. */
  cursors: ReadonlyMap<string, number>;
  /** The subscriber's cursor once the whole batch is delivered. */
  cursor: number;
  /** How many events were read: when they are few they may be read again, so the cursor need not be stored. */
  passed: number;
  /** More follows after this batch. */
  more: boolean;
};

/** A card as it is at this cursor. */
export type FoundCard = { sessionId: SessionId; card: Card; cursor: number };

export type Found = {
  subscriber: Subscriber;
  atMs: number;
  /** Events after the subscriber's cursor, of the session that it follows. */
  events: readonly StoredEvent[];
  /** More events are stored behind these. */
  moreEvents: boolean;
  /** Durable events up to this cursor were read. */
  upTo: number;
  cards: readonly FoundCard[];
  /** How cards ended that are gone, where it is known. */
  lastStates: ReadonlyMap<string, Json>;
  open: readonly Delivery[];
  textOf(event: StoredEvent): Json | undefined;
};

export function planBatch(found: Found): Planned {
  const { subscriber, events, upTo } = found;
  const texts = events.flatMap((event): { item: DeliveryItem; cursor: number }[] => {
    const payload = found.textOf(event);
    if (payload === undefined) return [];
    const key = `event:${event.cursor}`;
    const maybeSent = subscriber.doubted.includes(key);
    const item = { kind: "text", key, sessionId: event.sessionId, payload, maybeSent } as const;
    return [{ item, cursor: event.cursor }];
  });
  const taken = texts.slice(0, ITEMS_MAX);
  const allTexts = taken.length === texts.length;
  const cards = allTexts && !found.moreEvents ? planCards(found, ITEMS_MAX - taken.length) : NO_CARDS;
  return {
    items: inOrder(
      taken.map(({ item }) => item),
      cards.items,
    ),
    rows: cards.rows,
    closed: cards.closed,
    late: cards.late,
    cursors: new Map(taken.map(({ item, cursor }) => [item.key, cursor])),
    cursor: allTexts ? Math.max(upTo, subscriber.cursor) : (taken.at(-1)?.cursor ?? subscriber.cursor),
    passed: events.length,
    more: !allTexts || found.moreEvents || cards.more,
  };
}

/**
 * Messages in their order, and before them what changes one that is there: a card that was decided elsewhere must not wait
 * behind texts that the vendor lets through one a second.
 */
function inOrder(texts: readonly DeliveryItem[], cards: readonly DeliveryItem[]): DeliveryItem[] {
  return [...cards.filter((card) => !isNewCard(card)), ...texts, ...cards.filter(isNewCard)];
}
const isNewCard = (item: DeliveryItem): boolean => item.kind === "card" && item.op === "send";

type PlannedCards = Pick<Planned, "items" | "rows" | "closed" | "late" | "more">;
const NO_CARDS: PlannedCards = { items: [], rows: [], closed: [], late: new Set(), more: false };

function planCards(found: Found, room: number): PlannedCards {
  const open = new Map(found.open.map((row) => [row.key, row]));
  const shown = new Set(found.cards.map(({ card }) => card.cardId));
  const drawn = found.cards.flatMap(({ card, ...at }) => {
    const row = open.get(card.cardId);
    if (row === undefined && !isNewFor(card, found.subscriber, open)) return [];
    const isDrawn = row !== undefined && row.state !== "sending" && row.revisionHash === card.revisionHash;
    return isDrawn ? [] : [draw({ ...at, card, row }, found)];
  });
  const over = found.open.filter(({ key }) => !shown.has(key)).map((row) => end(row, found));
  const isOver = new Set(found.cards.flatMap(({ card }) => (card.newFor === "nobody" ? [card.cardId] : [])));
  const all = [...over.filter(({ item }) => item !== undefined), ...drawn];
  const taken = all.slice(0, room);
  return {
    items: taken.flatMap(({ item }) => item ?? []),
    rows: taken.map(({ row }) => row),
    closed: over.filter(({ item }) => item === undefined).map(({ row }) => row),
    late: new Set(taken.flatMap(({ item }) => (isFirst(item) && isOver.has(item.key) ? [item.key] : []))),
    more: taken.length < all.length,
  };
}

/** Nobody can have been sent it before. */
const isFirst = (item: DeliveryItem | undefined): item is DeliveryItem =>
  item?.kind === "card" && item.op === "send" && !item.maybeSent;

type Drawing = { item: DeliveryItem | undefined; row: Delivery };
type ToDraw = FoundCard & { row: Delivery | undefined };

function isNewFor(card: Card, { follows }: Subscriber, open: ReadonlyMap<string, Delivery>): boolean {
  const { newFor, remindsOf, escalation = 0 } = card;
  if (follows.kind === "operator" && (follows.level ?? 0) > escalation) return false;
  if (remindsOf !== undefined) return (open.get(remindsOf)?.messageId ?? null) !== null;
  return newFor === "everybody" || (newFor === "session" && follows.kind === "session");
}

function draw({ sessionId, card, cursor, row }: ToDraw, { subscriber, atMs }: Found): Drawing {
  const { cardId: key, revisionHash, payload } = card;
  const buttons = Object.entries(card.actions).map(([action, { kind }]) => ({
    action,
    token: newToken(),
    ...(kind === "set-text" ? { asksText: true as const } : {}),
  }));
  const drawnCard: DrawnCard = { cardId: key, revisionHash, payload, buttons };
  const messageId = row?.messageId ?? null;
  // a message that may have been sent has the buttons of an earlier attempt
  const earlier = messageId === null && row?.revisionHash === revisionHash ? Object.entries(row.buttons) : [];
  const fresh = buttons.map(({ action, token }): [string, string] => [tokenHash(token), action]);
  const maybeSent = subscriber.doubted.includes(key) || row?.state === "maybe-sent";
  const item: DeliveryItem =
    messageId === null
      ? { kind: "card", op: "send", key, sessionId, card: drawnCard, maybeSent }
      : { kind: "card", op: "edit", key, sessionId, card: drawnCard, messageId };
  return {
    item,
    row: {
      subscriberId: subscriber.id,
      key,
      kind: "card",
      sessionId,
      messageId,
      revisionHash,
      state: "sending",
      open: true,
      buttons: Object.fromEntries([...fresh, ...earlier].slice(0, BUTTONS_MAX)),
      drawn: { payload, cursor },
      atMs,
      detail: "",
      ...reportedOf(row),
    },
  };
}

/** What the surface reported of the message stays with it when the card is drawn again. */
const reportedOf = (row: Delivery | undefined): Pick<Delivery, "receipt" | "readBy"> => ({
  receipt: row?.receipt ?? null,
  ...(row?.readBy === undefined ? {} : { readBy: row.readBy }),
});

/** A card that is over: its message loses its buttons; one that never got a message only ends in the store. */
function end(row: Delivery, { subscriber, atMs, lastStates }: Found): Drawing {
  const { key, sessionId, messageId } = row;
  const { drawn: _drawn, ...rest } = row;
  const closed = { ...rest, buttons: {}, atMs };
  if (messageId !== null) {
    const payload = lastStates.get(key);
    const item = { kind: "card", op: "close", key, sessionId, messageId } as const;
    return { item: payload === undefined ? item : { ...item, payload }, row: { ...row, ...closed, state: "sending" } };
  }
  const inDoubt = subscriber.doubted.includes(key) || row.state === "maybe-sent";
  const state = inDoubt ? "maybe-sent" : "failed";
  const detail = inDoubt ? row.detail : OVER_BEFORE;
  return { item: undefined, row: { ...closed, state, detail, open: false } };
}
