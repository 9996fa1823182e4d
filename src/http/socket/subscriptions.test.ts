import { describe, expect, it } from "vitest";
import { SessionId } from "../../protocol/ids.ts";
import type { Feed, FeedEvent } from "../feed.ts";
import { createSubscriptions, SUBSCRIPTIONS_MAX } from "./subscriptions.ts";

const a = SessionId.parse("ses_a");
const b = SessionId.parse("ses_b");

const fact = (sessionId: SessionId, cursor: number): FeedEvent => ({
  sessionId,
  event: "x",
  cursor,
  payloadText: "{}",
});

/** A log that a test writes to at the moment it chooses, also while somebody reads what they missed. */
function world(stored: FeedEvent[] = []) {
  const log = [...stored];
  const listeners = new Map<SessionId, Set<(event: FeedEvent) => void>>();
  const gaps = new Set<() => void>();
  const sent: (number | undefined)[] = [];
  let whileReading = (): void => undefined;
  let broken = false;
  const feed: Feed = {
    subscribe(sessionId, listener) {
      const heard = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, heard.add(listener));
      return () => void heard.delete(listener);
    },
    async replay({ afterCursor, sessionIds, eventsMax }) {
      if (broken) throw new Error("the store is away");
      const missed = log.filter((event) => sessionIds.includes(event.sessionId) && (event.cursor ?? 0) > afterCursor);
      whileReading();
      return missed.length > eventsMax ? undefined : missed;
    },
    lastCursor: async () => log.at(-1)?.cursor ?? 0,
    watch: () => () => undefined,
    onGap(listener) {
      gaps.add(listener);
      return () => void gaps.delete(listener);
    },
  };
  const happen = (event: FeedEvent): void => {
    if (event.cursor !== undefined) log.push(event);
    for (const listener of listeners.get(event.sessionId) ?? []) listener(event);
  };
  let overflows = 0;
  const subscriptions = createSubscriptions({
    feed,
    send: ({ cursor }) => void sent.push(cursor),
    overflow: () => void (overflows += 1),
  });
  const listening = (sessionId: SessionId): number => listeners.get(sessionId)?.size ?? 0;
  return {
    subscriptions,
    sent,
    happen,
    listening,
    overflows: () => overflows,
    gap() {
      for (const mind of gaps) mind();
    },
    duringReplay: (work: () => void) => void (whileReading = work),
    breakStore: () => void (broken = true),
  };
}

describe("subscriptions", () => {
  it("[SC-02] of a connection that may have missed something are ended, so that it resumes; one that listens to nothing stays", async () => {
    const { subscriptions, gap, overflows } = world();
    gap();
    expect(overflows()).toBe(0);
    await subscriptions.add(a, undefined);
    gap();
    expect(overflows()).toBe(1);
    subscriptions.stop();
    gap();
    expect(overflows()).toBe(1);
  });

  it("[GW-01] sends what was missed first and then what happens, each once, also what happens in between", async () => {
    const { subscriptions, sent, happen, duringReplay } = world([fact(a, 1), fact(b, 2), fact(a, 3), fact(a, 4)]);
    duringReplay(() => {
      happen(fact(a, 5));
      happen({ sessionId: a, event: "turn.delta", payloadText: "{}" });
    });
    expect(await subscriptions.add(a, 1)).toEqual({ cursor: 4, resumed: true });
    happen(fact(a, 6));
    happen(fact(b, 7));
    expect(sent).toEqual([3, 4, 5, undefined, 6]);
  });

  it("[GW-01] sends an event once when it comes by both roads", async () => {
    const made = world([fact(a, 1)]);
    const reading = made.subscriptions.add(a, 0);
    made.happen(fact(a, 2)); // heard live and read from the log
    await reading;
    expect(made.sent).toEqual([1, 2]);
  });

  it("begins now when it is not told where the last one ended", async () => {
    const { subscriptions, sent, happen } = world([fact(a, 1), fact(a, 2)]);
    expect(await subscriptions.add(a, undefined)).toEqual({ cursor: 2, resumed: true });
    happen(fact(a, 3));
    expect(sent).toEqual([3]);
  });

  it("[GW-01] says so when too much was missed, or the cursor is of another store, and goes on live", async () => {
    const many = Array.from({ length: 5_001 }, (_, n) => fact(a, n + 1));
    const { subscriptions, sent, happen } = world(many);
    expect(await subscriptions.add(a, 0)).toEqual({ cursor: 5_001, resumed: false });
    expect(await subscriptions.add(a, 9_999)).toEqual({ cursor: 5_001, resumed: false });
    happen(fact(a, 5_002));
    expect(sent).toEqual([5_002]);
  });

  it("replays several sessions in the one order in which things happened", async () => {
    const { subscriptions, sent } = world([fact(a, 1), fact(b, 2), fact(a, 3)]);
    const { cursor, resumed, release } = await subscriptions.prepare([a, b], 0);
    expect([cursor, resumed, sent]).toEqual([3, true, []]);
    release();
    expect(sent).toEqual([1, 2, 3]);
  });

  it("a later subscription replaces an earlier one, and an ended one sends nothing more", async () => {
    const { subscriptions, sent, happen, listening } = world([fact(a, 1)]);
    const first = subscriptions.add(a, 0);
    const second = subscriptions.add(a, 0);
    await Promise.all([first, second]);
    happen(fact(a, 2));
    expect([sent, listening(a)]).toEqual([[1, 2], 1]);
    subscriptions.remove(a);
    happen(fact(a, 3));
    expect([sent, listening(a)]).toEqual([[1, 2], 0]);
  });

  it("lets go of everything when the connection ends, also of what is being added", async () => {
    const { subscriptions, listening } = world();
    const adding = subscriptions.add(a, undefined);
    subscriptions.stop();
    await adding;
    await subscriptions.add(b, undefined);
    expect([listening(a), listening(b)]).toEqual([0, 0]);
  });

  it("lets go when what was missed cannot be read", async () => {
    const { subscriptions, listening, breakStore } = world([fact(a, 1)]);
    breakStore();
    await expect(subscriptions.add(a, 0)).rejects.toThrow("the store is away");
    expect(listening(a)).toBe(0);
  });

  it("[GW-05] bounds what it holds back and how many sessions it listens to", async () => {
    const { subscriptions, happen, overflows, duringReplay } = world();
    duringReplay(() => {
      for (let n = 1; n <= 10_001; n += 1) happen(fact(a, n));
    });
    await subscriptions.add(a, 0);
    expect(overflows()).toBe(1);
    for (let n = 1; n < SUBSCRIPTIONS_MAX; n += 1) await subscriptions.add(SessionId.parse(`ses_${n}`), undefined);
    expect(await subscriptions.add(b, undefined)).toMatchObject({ refused: { code: "QUEUE_FULL" } });
    expect(await subscriptions.add(a, undefined)).toMatchObject({ resumed: true });
  });
});
