/**
 * Publishes agents' events to plugins after they are stored, and plugins' events to those who watch. A slow subscriber
 * loses events and never delays the gateway: its queue is bounded.
 */
import type { PluginNeed } from "../../protocol/plugin/plugin-manifest.ts";
import type { Json } from "../../protocol/json.ts";
import type { AgentEvent } from "../api/hooks.ts";
import type { Clock } from "../sessions.ts";

export const PENDING_MAX = 100;
const SUBSCRIPTIONS_MAX = 50;
const PATTERNS_MAX = 50;
export const EMITS_PER_SECOND = 20;
export const EMIT_BURST_MAX = 100;

export type Subscriber = { pluginId: string; needs: ReadonlySet<PluginNeed> };
type Handler = (event: AgentEvent) => void | Promise<void>;
type Subscription = Subscriber & {
  types: readonly string[];
  handler: Handler;
  pending: AgentEvent[];
  /** Ends when nothing is pending. */
  working: Promise<void> | undefined;
};

/** An event and the parts of it that not everybody may read. */
export type PublishedEvent = AgentEvent & { guarded?: Readonly<Partial<Record<PluginNeed, Record<string, Json>>>> };

export type AgentEventHub = {
  subscribe(subscriber: Subscriber, types: readonly string[], handler: Handler): () => void;
  removePlugin(pluginId: string): void;
  /** Whether there is any subscriber. */
  isHeard(): boolean;
  /** When a plugin has handled what it was told; undefined: it has. */
  caughtUp(pluginId: string): Promise<unknown> | undefined;
  tell(event: PublishedEvent): void;
};

export function createAgentEventHub(failed: (pluginId: string, error: unknown) => void): AgentEventHub {
  const subscriptions = new Set<Subscription>();

  async function work(subscription: Subscription): Promise<void> {
    for (let event = subscription.pending.shift(); event !== undefined; event = subscription.pending.shift()) {
      if (!subscriptions.has(subscription)) break;
      try {
        await subscription.handler(event);
      } catch (error) {
        failed(subscription.pluginId, error);
      }
    }
    subscription.working = undefined;
  }

  return {
    subscribe(subscriber, types, handler) {
      const own = [...subscriptions].filter(({ pluginId }) => pluginId === subscriber.pluginId).length;
      if (own >= SUBSCRIPTIONS_MAX)
        throw new Error(`${subscriber.pluginId} has ${SUBSCRIPTIONS_MAX} subscriptions already.`);
      const subscription = {
        ...subscriber,
        types: types.slice(0, PATTERNS_MAX),
        handler,
        pending: [],
        working: undefined,
      };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    removePlugin(pluginId) {
      for (const subscription of subscriptions)
        if (subscription.pluginId === pluginId) subscriptions.delete(subscription);
    },
    isHeard: () => subscriptions.size > 0,
    caughtUp(pluginId) {
      const working = [...subscriptions].flatMap((one) => (one.pluginId === pluginId ? (one.working ?? []) : []));
      return working.length === 0 ? undefined : Promise.all(working);
    },
    tell(event) {
      for (const subscription of subscriptions) {
        if (!subscription.types.some((pattern) => matches(pattern, event.type))) continue;
        if (subscription.pending.length >= PENDING_MAX) {
          failed(
            subscription.pluginId,
            new Error(`${PENDING_MAX} events wait for a slow subscriber; ${event.type} was dropped`),
          );
          continue;
        }
        subscription.pending.push(visibleTo(subscription, event));
        subscription.working ??= Promise.resolve().then(() => work(subscription));
      }
    },
  };
}

/** `plan.*` is every event of plan mode, `*` every event. */
function matches(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1));
}

function visibleTo({ needs }: Subscriber, { guarded = {}, ...event }: PublishedEvent): AgentEvent {
  const allowed = Object.entries(guarded)
    .filter(([need]) => [...needs].some((given) => given === need))
    .map(([, fields]) => fields);
  const data = typeof event.data === "object" && event.data !== null && !Array.isArray(event.data) ? event.data : {};
  return structuredClone({ ...event, data: Object.assign({}, data, ...allowed) });
}

export type RateLimit = { take(pluginId: string): boolean; forget(pluginId: string): void };

/** A steady rate per second, with room for a burst. */
export function createRateLimit(clock: Pick<Clock, "now">): RateLimit {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return {
    take(pluginId) {
      const nowMs = clock.now();
      const bucket = buckets.get(pluginId) ?? { left: EMIT_BURST_MAX, atMs: nowMs };
      const gained = (Math.max(0, nowMs - bucket.atMs) / 1_000) * EMITS_PER_SECOND;
      const left = Math.min(EMIT_BURST_MAX, bucket.left + gained);
      buckets.set(pluginId, { left: left < 1 ? left : left - 1, atMs: nowMs });
      return left >= 1;
    },
    forget: (pluginId) => void buckets.delete(pluginId),
  };
}
