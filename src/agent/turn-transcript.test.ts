import { describe, expect, it } from "vitest";
import { sessionId } from "../../test/kit/core.ts";
import { opened } from "../../test/kit/scripted-turn.ts";
import type { History, NumberedEntry, SessionCommitted, Sessions } from "../plugins/sessions.ts";
import type { Session } from "../protocol/session.ts";
import type { Entry } from "../protocol/transcript-entry.ts";
import { createTurnTranscript } from "./turn-transcript.ts";

const notice = (n: number): NumberedEntry => ({ n, entry: { kind: "notice", text: `entry ${n}` } });
const inside = (n: number): NumberedEntry => ({
  n,
  entry: { kind: "call", caller: { kind: "cell", id: "cell_1" }, callId: `c${n}`, tool: "read", args: {} } as Entry,
});

/** A store of entries whose commits arrive when the test publishes them. */
async function conversation(stored: NumberedEntry[]) {
  const empty = await (await opened([])).session();
  const listeners = new Set<(committed: SessionCommitted) => void>();
  const onCommitted: Sessions["onCommitted"] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const reads: number[] = [];
  const history: History = async (_id, from) => {
    reads.push(from);
    return stored.filter(({ n, entry }) => n > from && entry.kind !== "call");
  };
  const transcript = createTurnTranscript(sessionId, { sessions: { onCommitted }, history });
  const session = (fields: Partial<Session> = {}): Session => ({
    ...empty,
    entryCount: stored.at(-1)?.n ?? 0,
    ...fields,
  });
  return {
    transcript,
    reads,
    listeners,
    session,
    numbers: async (fields: Partial<Session> = {}) => (await transcript.of(session(fields))).map(({ n }) => n),
    publish(...entries: NumberedEntry[]) {
      const events = entries.map(({ n, entry }) => ({ event: { type: "entry.appended", n, entry } as const }));
      for (const listener of listeners) listener({ sessionId, session: session(), events });
    },
    commit(...entries: NumberedEntry[]) {
      stored.push(...entries);
      this.publish(...entries);
    },
  };
}

const now = Promise.resolve();

describe("transcript of a turn", () => {
  it("[RT-03] is read once, and then follows what this process commits", async () => {
    const made = await conversation([notice(1), notice(2)]);
    made.transcript.readAhead(made.session(), now);
    made.commit(notice(3));
    expect(await made.numbers()).toEqual([1, 2, 3]);
    made.commit(notice(4), inside(5), notice(6));
    expect(await made.numbers()).toEqual([1, 2, 3, 4, 6]);
    expect(made.reads).toEqual([0]);
  });

  it("[RT-03] reads from the store what another process committed", async () => {
    const stored = [notice(1)];
    const made = await conversation(stored);
    expect(await made.numbers()).toEqual([1]);
    stored.push(notice(2));
    expect(await made.numbers()).toEqual([1, 2]);
    stored.push(notice(3));
    made.commit(notice(4)); // behind one that was committed elsewhere
    expect(await made.numbers()).toEqual([1, 2, 3, 4]);
    expect(made.reads).toEqual([0, 1, 2]);
  });

  it("[RT-03] takes an entry once that the read and the commit both bring", async () => {
    const stored = [notice(1)];
    const made = await conversation(stored);
    const before = made.session();
    stored.push(notice(2)); // readers see a commit before it is acknowledged
    made.transcript.readAhead(before, now);
    expect(await made.numbers()).toEqual([1, 2]);
    made.publish(notice(2));
    expect(await made.numbers()).toEqual([1, 2]);
  });

  it("[RT-05] begins anew behind a summary", async () => {
    const made = await conversation([notice(1), notice(2), notice(3)]);
    expect(await made.numbers()).toEqual([1, 2, 3]);
    expect(await made.numbers({ compactedTo: 2 })).toEqual([3]);
    made.commit(notice(4));
    expect(await made.numbers({ compactedTo: 2 })).toEqual([3, 4]);
  });

  it("[RT-03] asks again where the store did not answer ahead of time", async () => {
    const made = await conversation([notice(1)]);
    const history: History = async () => [notice(1)];
    let calls = 0;
    const failing: History = async (...asked) => {
      calls += 1;
      if (calls === 1) throw new Error("the store is away");
      return history(...asked);
    };
    const sessions = { onCommitted: () => () => undefined };
    const transcript = createTurnTranscript(sessionId, { sessions, history: failing });
    transcript.readAhead(made.session(), now);
    expect((await transcript.of(made.session())).map(({ n }) => n)).toEqual([1]);
  });

  it("stops listening when its turn is over", async () => {
    const made = await conversation([]);
    made.transcript.release();
    expect(made.listeners.size).toBe(0);
  });
});
