/**
 * Checks a click against what was shown: this token, on this message, in this place, on the card as it is now. The
 * token has no meaning of its own; everything else comes from the store and from the vendor's own envelope.
 */
import { offeredIn } from "../protocol/card/offered-in.ts";
import type { Json } from "../protocol/json.ts";
import type { SessionId } from "../protocol/ids.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { Delivery, Place, Subscriber } from "../store/deliveries.ts";
import { PAGE_MAX } from "../store/store.ts";
import { buttonCode, tokenHash } from "../plugins/button-code.ts";
import type { CardAction } from "./card.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { placeId } from "./place-id.ts";

type Changed = { subscriber: Subscriber; deliveries: Delivery[] };
/** Changes the subscriber that is stored at that moment, by rows that may be read anew; undefined when it is gone. */
export type Amend = (
  id: string,
  change: (now: Subscriber) => Changed | Promise<Changed>,
) => Promise<Subscriber | undefined>;

export type Pressed = { sessionId: SessionId; action: CardAction };
export type Click = { place: Place; token: string; messageId: string };
export type SurfaceReceipt = {
  place: Place;
  messageId: string;
  state: "delivered" | "read" | "failed";
  detail: string;
  /** The person whom the surface vouches for; empty where it names nobody. */
  personId: string;
};

/** Readers of one message that are remembered. */
const READERS_MAX = 100;

export type Clicks = {
  /** The session that the message belongs to, even when the click is refused. */
  clickedSession(click: Click): Promise<SessionId | undefined>;
  clicked(click: Click): Promise<Pressed | Refused>;
  /** The button whose code was typed in the place that its card was sent to; undefined where it is none of an open card. */
  codeTyped(typed: { place: Place; code: string }): Promise<Pressed | Refused | undefined>;
  /** Records what the surface reports about a message; false when the message is none of ours. */
  received(receipt: SurfaceReceipt): Promise<boolean>;
  /** The open cards of a session that this person has read in this place, as they were last drawn there. */
  readIn(place: Place, of: { sessionId: SessionId; personId: string }): Promise<Json[]>;
};

type Parts = Pick<DeliveryParts, "store" | "engine" | "clock" | "describe" | "undelivered"> & { amend: Amend };

export function createClicks(parts: Parts): Clicks {
  const { store, engine, clock, describe, amend } = parts;

  /** Finds the delivery by its message, or by its token when the click came before the receipt of the card. */
  async function find({ place, token, messageId }: Click): Promise<Delivery | undefined> {
    const subscriberId = placeId(place);
    const shown = await store.deliveryOf({ subscriberId, messageId });
    if (shown !== undefined) return shown;
    const open = await store.openDeliveries({ subscriberId, limit: PAGE_MAX });
    return open.find((row) => row.messageId === null && Object.hasOwn(row.buttons, tokenHash(token)));
  }

  /** What the button means on the card as it is now, which must be the one that was shown. */
  async function pressedOn(row: Delivery, hash: string): Promise<Pressed | Refused> {
    const name = Object.hasOwn(row.buttons, hash) ? row.buttons[hash] : undefined;
    const session = await engine.session(row.sessionId);
    const card = session === undefined ? undefined : describe(session).find(({ cardId }) => cardId === row.key);
    if (name === undefined || !row.open || card === undefined || card.revisionHash !== row.revisionHash) return OVER;
    const action = Object.hasOwn(card.actions, name) ? card.actions[name] : undefined;
    return action === undefined ? OVER : { sessionId: row.sessionId, action: withOffered(action, row) };
  }

  return {
    clickedSession: async (click) => (await find(click))?.sessionId,
    async clicked(click) {
      const row = await find(click);
      if (row === undefined) return UNKNOWN;
      const pressed = await pressedOn(row, tokenHash(click.token));
      if ("refused" in pressed) return pressed;
      if (row.messageId === null)
        await amend(row.subscriberId, async (now) =>
          proven(now, { ...((await find(click)) ?? row), messageId: click.messageId }),
        );
      return pressed;
    },
    async codeTyped({ place, code }) {
      const open = await store.openDeliveries({ subscriberId: placeId(place), limit: PAGE_MAX });
      for (const row of open) {
        const hash = Object.keys(row.buttons).find((one) => buttonCode(one) === code.toUpperCase());
        if (hash !== undefined) return pressedOn(row, hash);
      }
      return undefined;
    },
    async readIn(place, { sessionId, personId }) {
      const open = await store.openDeliveries({ subscriberId: placeId(place), limit: PAGE_MAX });
      const isRead = (row: Delivery): boolean =>
        row.kind === "card" && row.sessionId === sessionId && row.readBy?.includes(personId) === true;
      return open.filter(isRead).flatMap(({ drawn }) => (drawn === undefined ? [] : [drawn.payload]));
    },
    async received({ place, messageId, state, detail, personId }) {
      const message = { subscriberId: placeId(place), messageId };
      const known = await store.deliveryOf(message);
      if (known === undefined) return false;
      const receipt = { state, atMs: clock.now(), detail };
      await amend(message.subscriberId, async (subscriber) => {
        const row = await store.deliveryOf(message); // a card may have been drawn again by now
        return {
          subscriber,
          deliveries: row === undefined ? [] : [{ ...row, receipt, ...readers(row, state, personId) }],
        };
      });
      if (state === "failed" && known.kind === "card" && known.open)
        parts.undelivered?.({
          sessionId: known.sessionId,
          cardId: known.key,
          placeId: message.subscriberId,
          why: detail,
        });
      return true;
    },
  };
}

/** A press that names the digest of a text also says how much of that text was sent with its button. */
function withOffered(action: CardAction, { offered }: Delivery): CardAction {
  if (action.kind !== "set" || offered === undefined) return action;
  return { ...action, value: offeredIn(action.value, offered) };
}

function readers(
  { readBy = [] }: Delivery,
  state: SurfaceReceipt["state"],
  personId: string,
): Pick<Delivery, "readBy"> {
  if (state !== "read" || personId === "") return {};
  return { readBy: [...readBy.filter((id) => id !== personId), personId].slice(-READERS_MAX) };
}

/** A pressed button proves that the card was sent, even without a receipt. */
const proven = (subscriber: Subscriber, row: Delivery): Changed => ({
  subscriber: { ...subscriber, doubted: subscriber.doubted.filter((key) => key !== row.key) },
  deliveries: [{ ...row, state: "sent" }],
});

const UNKNOWN = refuse("APPROVAL_UNKNOWN", "This button belongs to nothing that was sent here.");
const OVER = refuse("APPROVAL_STALE", "This card is not the newest any more. Look at what it says now.");
