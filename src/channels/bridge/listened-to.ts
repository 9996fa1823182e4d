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

/** Whether one person sends more than a person can: beyond it their events are dropped. */
export function createFloodLimit(): (personId: string, nowMs: number) => boolean {
  const windows = new Map<string, { fromMs: number; count: number }>();
  return (personId, nowMs) => {
    const known = windows.get(personId);
    const isOpen = known !== undefined && nowMs - known.fromMs < WINDOW_MS;
    const window = isOpen ? { ...known, count: known.count + 1 } : { fromMs: nowMs, count: 1 };
    windows.delete(personId); // the longest unused stand first
    windows.set(personId, window);
    if (windows.size > PEOPLE_MAX) windows.delete([...windows.keys()][0] ?? "");
    return window.count > EVENTS_MAX;
  };
}
