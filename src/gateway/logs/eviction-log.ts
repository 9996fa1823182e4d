/** One warning per text that was dropped from a full queue: a queue that overflows has a consumer that is stuck (IN-02). */
import type { Logger } from "pino";
import type { Engine } from "../../engine/engine.ts";

export function logEvictions(engine: Pick<Engine, "onCommitted">, log: Pick<Logger, "warn">): () => void {
  return engine.onCommitted(({ sessionId, events }) => {
    for (const { event } of events) {
      if (event.type !== "injection.dropped" || event.reason !== "evicted") continue;
      log.warn(
        { sessionId, injection: event.id },
        "a text for the agent was dropped: its queue is full, and this one had the lowest priority",
      );
    }
  });
}
