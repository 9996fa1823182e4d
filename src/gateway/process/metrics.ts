/** Counts what happens, in plain numbers; the metrics library is loaded only when somebody asks for the page. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Engine } from "../../engine/engine.ts";
import type { Committed } from "../../engine/commit-feed.ts";

export type Metrics = { text(): Promise<string>; stop(): void };

const NANOSECONDS = 1e9;
const MS_PER_SECOND = 1_000;
const LAG_RESOLUTION_MS = 20;

type MetricsParts = {
  engine: Engine;
  connections(): number;
  runningTurns(): number;
  restingModels(): number;
  clockSkewMs(): number;
};

export function createMetrics(parts: MetricsParts): Metrics {
  const counted = new Map<string, number>();
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  const stopListening = parts.engine.onCommitted((committed) => count(committed));

  function count({ events }: Committed): void {
    for (const { event } of events) {
      const name = event.type === "slice.changed" ? event.event.type : event.type;
      counted.set(name, (counted.get(name) ?? 0) + 1);
    }
  }

  async function text(): Promise<string> {
    const { Gauge, Counter, Registry } = await import("prom-client");
    const registry = new Registry();
    const registers = [registry];
    const facts = new Counter({
      name: "holdpoint_events_total",
      help: "Committed facts by name.",
      labelNames: ["event"],
      registers,
    });
    for (const [event, times] of counted) facts.inc({ event }, times);
    const gauge = (name: string, help: string, value: number): void => new Gauge({ name, help, registers }).set(value);
    gauge("holdpoint_connections", "Open WebSocket connections.", parts.connections());
    gauge("holdpoint_running_turns", "Turns that run on this node.", parts.runningTurns());
    gauge(
      "holdpoint_resting_models",
      "Models and providers that failed and are left alone for a while.",
      parts.restingModels(),
    );
    gauge(
      "holdpoint_clock_skew_seconds",
      "How far the clock of this machine is ahead of the store's, by which everything goes.",
      parts.clockSkewMs() / MS_PER_SECOND,
    );
    gauge(
      "holdpoint_event_loop_lag_p99_seconds",
      "How late the event loop was, 99th percentile since the last look.",
      lag.percentile(99) / NANOSECONDS,
    );
    gauge("holdpoint_resident_memory_bytes", "Resident memory.", process.memoryUsage.rss());
    lag.reset();
    return registry.metrics();
  }

  return {
    text,
    stop() {
      stopListening();
      lag.disable();
    },
  };
}
