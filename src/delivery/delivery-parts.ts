/** What delivery needs from the gateway. */
import type { Clock } from "../engine/clock.ts";
import type { Engine } from "../engine/engine.ts";
import type { Channel } from "../plugins/api/channel.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Store, StoredEvent } from "../store/store.ts";
import type { Describe } from "./card.ts";

export type Undelivered = { sessionId: SessionId; cardId: string; placeId: string; why: string };

export type DeliveryParts = {
  store: Store;
  engine: Pick<Engine, "subscribe" | "session">;
  clock: Clock;
  /** Names this process in attempts. */
  node: string;
  /** Other processes may deliver from the same store. */
  shared: boolean;
  describe: Describe;
  /** A card that was drawn and is gone, after what happened since; undefined where it cannot be told. */
  lastState(drawn: Json, events: readonly StoredEvent[]): Json | undefined;
  /** The text of an event for a subscriber; undefined for events without one. */
  textOf(event: StoredEvent): Json | undefined;
  /** The channel of a surface, while its plugin is on. */
  channel(surface: string): Pick<Channel, "deliver" | "serves"> | undefined;
  /** A card will not be seen in this place: the vendor refused it, or it was over before it could be sent. */
  undelivered?(card: Undelivered): void;
  report(error: unknown, subscriberId: string): void;
};
