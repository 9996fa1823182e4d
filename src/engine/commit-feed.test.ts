import { describe, expect, it } from "vitest";
import { TurnId } from "../protocol/ids.ts";
import { sid } from "../store/contract/harness.ts";
import { openMemoryStore } from "../store/memory/memory-store.ts";
import type { Store } from "../store/store.ts";
import { type Committed, createCommitFeed } from "./commit-feed.ts";

const committed = (name: string): Committed => ({ sessionId: sid(name), session: undefined, events: [] });

describe("commits of this process", () => {
  it("[SC-02] reach those who follow their session and those who follow all, until they leave", () => {
    const feed = createCommitFeed(openMemoryStore());
    const seen: string[] = [];
    const note = (who: string) => (commit: Committed) => void seen.push(`${who} ${commit.sessionId}`);
    feed.onCommitted(note("all"));
    const leave = [feed.onCommitted(note("a"), sid("a")), feed.onCommitted(note("b"), sid("b"))];
    const missed = (): void => undefined;
    leave.push(feed.subscribe({ cares: sid("a"), onCommit: note("subscriber of a"), missed }));
    feed.subscribe({ cares: (id) => id === sid("b"), onCommit: note("subscriber of some"), missed });
    for (const name of ["a", "b"]) feed.publish(committed(name), 1);
    expect(seen.splice(0)).toEqual([
      `all ${sid("a")}`,
      `a ${sid("a")}`,
      `subscriber of a ${sid("a")}`,
      `all ${sid("b")}`,
      `b ${sid("b")}`,
      `subscriber of some ${sid("b")}`,
    ]);
    for (const end of leave) end();
    for (const name of ["a", "b"]) feed.publish(committed(name), 2);
    expect(seen).toEqual([`all ${sid("a")}`, `all ${sid("b")}`, `subscriber of some ${sid("b")}`]);
  });
});

describe("a commit that requests a turn", () => {
  const asking = (name: string): Committed => ({
    ...committed(name),
    events: [
      {
        cursor: 1,
        sessionId: sid(name),
        atMs: 1,
        event: { type: "turn.requested", turnId: TurnId.parse("trn_1"), cause: "message" },
      },
    ],
  });

  function followed(store: Store = { ...openMemoryStore(), hasWriterThread: true }) {
    const feed = createCommitFeed(store);
    const seen: string[] = [];
    feed.onCommitted(({ sessionId }) => void seen.push(`work ${sessionId}`));
    feed.subscribe({
      cares: () => true,
      onCommit: ({ sessionId }) => void seen.push(`page ${sessionId}`),
      missed: () => undefined,
    });
    return { feed, seen };
  }

  it("[GW-01] reaches the work at once and subscribers while the turn's start is written", async () => {
    const { feed, seen } = followed();
    feed.publish(asking("a"), 1);
    expect(seen).toEqual([`work ${sid("a")}`]);
    await feed.delivered();
    expect(seen).toEqual([`work ${sid("a")}`, `page ${sid("a")}`]);
    expect(feed.delivered()).toBeUndefined();
  });

  it("[GW-01] reaches subscribers at once where nothing is written in the background", () => {
    const { feed, seen } = followed(openMemoryStore());
    feed.publish(asking("a"), 1);
    expect(seen).toEqual([`work ${sid("a")}`, `page ${sid("a")}`]);
    expect(feed.delivered()).toBeUndefined();
  });

  it("[GW-01] reaches subscribers before any commit that follows it", async () => {
    const { feed, seen } = followed();
    feed.publish(asking("a"), 1);
    feed.publish(asking("b"), 1);
    feed.publish(committed("c"), 1);
    expect(seen.filter((line) => line.startsWith("page"))).toEqual(["a", "b", "c"].map((name) => `page ${sid(name)}`));
    await feed.delivered();
    expect(seen).toHaveLength(6);
  });
});
