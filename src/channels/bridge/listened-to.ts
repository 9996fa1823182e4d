/** Whether what somebody sends is listened to at all, before anybody asks who they are. */
import type { VendorEvent } from "../port.ts";
import type { ChannelSettings } from "../protocol/settings.ts";

/** Groups must be listed, and in them only what is addressed to us counts: the rest is other people's talk. */
export function isListenedTo(event: VendorEvent, { groups }: Pick<ChannelSettings, "groups">): boolean {
  if (event.direct) return true;
  if (event.group === undefined || !groups.allow.includes(event.group)) return false;
  return event.kind !== "message" || event.addressed || !groups.mention;
}

const EVENTS_MAX = 30;
const WINDOW_MS = 10_000;
const PEOPLE_MAX = 10_000;

export type FloodLimit = {
  /** Whether this person was turned away more often than a person asks: what follows is not even looked at. */
  isFlood(personId: string, nowMs: number): boolean;
  /** Somebody was turned away, or offered a code; true for the one that reaches the limit. */
  turnedAway(personId: string, nowMs: number): boolean;
};

/** Only who is turned away counts: somebody known may have written a lot while the gateway was away. */
export function createFloodLimit(): FloodLimit {
  const windows = new Map<string, { fromMs: number; count: number }>();
  const countOf = (personId: string, nowMs: number): number => {
    const known = windows.get(personId);
    return known !== undefined && nowMs - known.fromMs < WINDOW_MS ? known.count : 0;
  };
  return {
    isFlood: (personId, nowMs) => countOf(personId, nowMs) >= EVENTS_MAX,
    turnedAway(personId, nowMs) {
      const count = countOf(personId, nowMs) + 1;
      const fromMs = count === 1 ? nowMs : (windows.get(personId)?.fromMs ?? nowMs);
      windows.delete(personId); // the longest unused stand first
      windows.set(personId, { fromMs, count });
      if (windows.size > PEOPLE_MAX) windows.delete([...windows.keys()][0] ?? "");
      return count === EVENTS_MAX;
    },
  };
}
