import { describe, expect, it } from "vitest";
import { sid } from "../store/contract/harness.ts";
import { openMemoryStore } from "../store/memory/memory-store.ts";
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
