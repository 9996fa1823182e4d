import { expect, it } from "vitest";
import { sid, START_MS } from "../contract/harness.ts";
import { listSessions, type RowsBelow } from "./session-list.ts";
import type { SessionRow } from "../store.ts";

const COUNT = 25_000;

const row = (n: number): SessionRow => ({
  id: sid(n),
  agentId: "main",
  kind: "chat",
  title: n === 7 ? "The one" : "Another",
  archived: false,
  createdAtMs: START_MS,
  updatedAtMs: n,
  waiting: null,
  mode: null,
});

/** Sessions numbered from the newest down to 1, as an index would give them. */
function counted(): { rowsBelow: RowsBelow; read(): number } {
  let read = 0;
  return {
    read: () => read,
    async rowsBelow(_filter, below, limit) {
      const from = below === null ? COUNT : below.updatedAtMs - 1;
      const rows = Array.from({ length: Math.min(limit, from) }, (_, index) => row(from - index));
      read += rows.length;
      return rows;
    },
  };
}

it("searches a bounded stretch of the list per page, and says where to go on", async () => {
  const { rowsBelow, read } = counted();
  const search = { search: "THE ONE" };
  const first = await listSessions(rowsBelow, search, { cursor: null, limit: 10 });
  expect(first).toEqual({ items: [], nextCursor: expect.any(String) });
  expect(read()).toBe(10_000);
  const second = await listSessions(rowsBelow, search, { cursor: first.nextCursor, limit: 10 });
  const third = await listSessions(rowsBelow, search, { cursor: second.nextCursor, limit: 10 });
  expect(third).toEqual({ items: [row(7)], nextCursor: null });
  expect(read()).toBe(COUNT);
});

it("stops searching when a page is full", async () => {
  const { rowsBelow, read } = counted();
  const first = await listSessions(rowsBelow, { search: "another" }, { cursor: null, limit: 10 });
  expect(first.items.map(({ updatedAtMs }) => updatedAtMs)).toEqual(Array.from({ length: 10 }, (_, n) => COUNT - n));
  expect(read()).toBe(500);
  const second = await listSessions(rowsBelow, { search: "another" }, { cursor: first.nextCursor, limit: 1 });
  expect(second.items).toEqual([row(COUNT - 10)]);
});
