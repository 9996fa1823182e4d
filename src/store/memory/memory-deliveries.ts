/** Subscribers, deliveries and accounts of surfaces without a disk. */
import { pageLimit } from "../list/page.ts";
import type { CommitResult } from "../store.ts";
import { type ChannelNote, DELIVERIES_KEPT_MS, type Delivery, type StoredSubscriber } from "../deliveries.ts";
import type { DeliveryStore } from "../store.ts";
import type {
  ChannelNoteChange,
  ChannelNoteName,
  SubscriberChange,
  SurfaceAccount,
  SurfaceAccountChange,
  SurfacePerson,
} from "../deliveries.ts";
import { fromStored } from "../stored-json.ts";

export type DeliveryMemory = {
  subscribers: Map<string, StoredSubscriber>;
  deliveries: Map<string, Delivery>;
  accounts: Map<string, SurfaceAccount>;
  notes: Map<string, ChannelNote>;
};

export const emptyDeliveries = (): DeliveryMemory => ({
  subscribers: new Map(),
  deliveries: new Map(),
  accounts: new Map(),
  notes: new Map(),
});

export function deliveryReads(
  memory: DeliveryMemory,
): Omit<DeliveryStore, "saveSubscriber" | "saveSurfaceAccount" | "saveChannelNote"> {
  const of = (subscriberId: string): Delivery[] =>
    [...memory.deliveries.values()].filter((delivery) => delivery.subscriberId === subscriberId).toSorted(byKey);
  return {
    subscribers: async ({ id, limit }) =>
      copy([...memory.subscribers.values()].toSorted(byId).filter(isAfter(id)).slice(0, pageLimit(limit))),
    subscriber: async (id) => copy(memory.subscribers.get(id)),
    async removeSubscriber(id) {
      memory.subscribers.delete(id);
      for (const [place, { subscriberId }] of memory.deliveries)
        if (subscriberId === id) memory.deliveries.delete(place);
    },
    openDeliveries: async ({ subscriberId, limit }) =>
      copy(
        of(subscriberId)
          .filter(({ open }) => open)
          .slice(0, pageLimit(limit)),
      ),
    deliveryOf: async ({ subscriberId, messageId }) =>
      copy(of(subscriberId).find((delivery) => delivery.messageId === messageId)),
    channelNote: async (name) => copy(memory.notes.get(placeOfNote(name))),
    channelNotes: async ({ keyPrefix, limit }) =>
      copy(
        [...memory.notes.values()]
          .filter(({ key }) => key.startsWith(keyPrefix))
          .toSorted((a, b) => order(placeOfNote(a), placeOfNote(b)))
          .slice(0, pageLimit(limit)),
      ),
    surfaceAccount: async (person) => copy(memory.accounts.get(placeOfPerson(person))),
    surfaceAccounts: async () => copy([...memory.accounts.values()].toSorted(byPerson)),
  };
}

export function saveSubscriber(memory: DeliveryMemory, change: SubscriberChange): CommitResult {
  const { subscriber, expectedVersion, deliveries } = copy(change);
  if ((memory.subscribers.get(subscriber.id)?.version ?? 0) !== expectedVersion) return { status: "conflict" };
  const version = expectedVersion + 1;
  memory.subscribers.set(subscriber.id, { subscriber, version });
  for (const delivery of deliveries) memory.deliveries.set(placeOf(delivery), delivery);
  return { status: "committed", version, events: [] };
}

export function setAccount(memory: DeliveryMemory, account: SurfaceAccountChange): void {
  const { operatorId } = account;
  if (operatorId === null) memory.accounts.delete(placeOfPerson(account));
  else memory.accounts.set(placeOfPerson(account), copy({ ...account, operatorId }));
}

/** False where something else than what was expected is stored. */
export function setNote(memory: DeliveryMemory, { value, expected, ...note }: ChannelNoteChange): boolean {
  const place = placeOfNote(note);
  if (expected !== undefined && (memory.notes.get(place)?.value ?? null) !== expected) return false;
  if (value === null) memory.notes.delete(place);
  else memory.notes.set(place, copy({ ...note, value }));
  return true;
}

export function pruneDeliveries(memory: DeliveryMemory, nowMs: number): void {
  for (const [place, { untilMs }] of memory.notes)
    if (untilMs !== null && untilMs < nowMs - DELIVERIES_KEPT_MS) memory.notes.delete(place);
  for (const [place, { open, atMs }] of memory.deliveries)
    if (!open && atMs < nowMs - DELIVERIES_KEPT_MS) memory.deliveries.delete(place);
}

const isAfter =
  (id: string) =>
  ({ subscriber }: StoredSubscriber): boolean =>
    subscriber.id > id;
const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byId = (a: StoredSubscriber, b: StoredSubscriber): number => order(a.subscriber.id, b.subscriber.id);
const byKey = (a: Delivery, b: Delivery): number => order(a.key, b.key);
const byPerson = (a: SurfacePerson, b: SurfacePerson): number => order(placeOfPerson(a), placeOfPerson(b));
const placeOf = ({ subscriberId, key }: Delivery): string => JSON.stringify([subscriberId, key]);
const placeOfNote = ({ surface, account, key }: ChannelNoteName): string => JSON.stringify([surface, account, key]);
const placeOfPerson = ({ surface, account, personId }: SurfacePerson): string =>
  JSON.stringify([surface, account, personId]);

const copy = <Value>(value: Value): Value => (value === undefined ? value : fromStored(JSON.stringify(value)));
