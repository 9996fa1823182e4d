/** Messages that were said while the agent worked and that it has not taken up yet. */
import type { EventPayloads, HoldpointEvent } from "../../src/client/events.ts";
import type { HistoryItem } from "../../src/protocol/methods.ts";
import type { QueuedMessage } from "../../src/protocol/session.ts";

const KEPT_MAX = 50;

export type Queue = readonly QueuedMessage[];

export const NO_QUEUE: Queue = [];

export function queueAfter(before: Queue, event: HoldpointEvent): Queue {
  if (is(event, "message.queued")) return [...before, event.payload.message].slice(-KEPT_MAX);
  if (before.length === 0) return before;
  if (is(event, "turn.steered")) return without(before, event.payload.messageIds);
  if (is(event, "entry.appended") && event.payload.entry.kind === "input") {
    return without(
      before,
      event.payload.entry.messages.map(({ id }) => id),
    );
  }
  return before;
}

/** What the record tells together with what was heard while it was read; whatever is in the transcript waits no more. */
export function joined(recorded: Queue, { queue, items }: { queue: Queue; items: readonly HistoryItem[] }): Queue {
  const taken = items.flatMap(({ entry }) => (entry.kind === "input" ? entry.messages.map(({ id }) => id) : []));
  const heard = queue.map(({ id }) => id);
  return [...without(without(recorded, taken), heard), ...queue].slice(-KEPT_MAX);
}

function without(queue: Queue, ids: readonly string[]): Queue {
  const rest = queue.filter(({ id }) => !ids.includes(id));
  return rest.length === queue.length ? queue : rest;
}

const is = <Name extends keyof EventPayloads>(event: HoldpointEvent, name: Name): event is HoldpointEvent<Name> =>
  event.event === name;
