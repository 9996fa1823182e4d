import { expect, it } from "vitest";
import { sessionId } from "../../../test/kit/core.ts";
import type { Committed } from "../../engine/commit-feed.ts";
import { logEvictions } from "./eviction-log.ts";

it("[IN-02] warns of each text that gave way in a full queue, and of no other", () => {
  const lines: unknown[] = [];
  let publish: (committed: Committed) => void = () => undefined;
  const onCommitted = (listener: typeof publish) => {
    publish = listener;
    return () => undefined;
  };
  logEvictions({ onCommitted }, { warn: (...line: unknown[]) => void lines.push(line) } as never);
  const events = (["evicted", "cancelled", "expired"] as const).map((reason, at) => ({
    cursor: at,
    sessionId,
    atMs: 0,
    event: { type: "injection.dropped" as const, id: `nudge-${reason}`, reason },
  }));
  publish({ sessionId, session: undefined, events });
  expect(lines).toEqual([
    [
      { sessionId, injection: "nudge-evicted" },
      "a text for the agent was dropped: its queue is full, and this one had the lowest priority",
    ],
  ]);
});
