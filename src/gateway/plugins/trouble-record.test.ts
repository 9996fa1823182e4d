import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import type { AuditFact } from "../../protocol/audit.ts";
import type { CommitResult } from "../../store/store.ts";
import { createTroubleRecord } from "./trouble-record.ts";

const AWAY: CommitResult = {
  status: "failed",
  failure: { reason: "unreachable", outcome: "nothing-written", message: "The store is away." },
};

function world() {
  const clock = fakeClock();
  const rows: { atMs: number; facts: AuditFact[] }[] = [];
  const reports: unknown[] = [];
  let isAway = false;
  const record = createTroubleRecord({
    clock,
    report: (error) => void reports.push(error),
    store: {
      async audit(entry) {
        if (isAway) return AWAY;
        rows.push({ atMs: entry.atMs, facts: entry.facts });
        return { status: "committed", version: 0, events: [] };
      },
    },
  });
  const settled = () => new Promise((resolve) => void setImmediate(resolve));
  return { clock, rows, reports, record, settled, away: (now: boolean) => void (isAway = now) };
}

describe("troubles of plugins", () => {
  it("[I20, PG-01] that the store could not take are kept, shown, and recorded in order when it can", async () => {
    const { clock, rows, reports, record, settled, away } = world();
    away(true);
    const beganAtMs = clock.now();
    record.add("deploy", "first");
    record.add("deploy", "second");
    await settled();
    expect([rows, reports.length]).toEqual([[], 1]);
    expect(record.notes()).toEqual([expect.stringMatching(/^2 troubles of plugins are not in the audit yet/)]);
    away(false);
    clock.advance(1_000);
    await settled();
    expect(rows.map(({ atMs, facts }) => [atMs, facts[0]?.detail])).toEqual([
      [beganAtMs, { id: "deploy", reason: "first" }],
      [beganAtMs, { id: "deploy", reason: "second" }],
    ]);
    expect(record.notes()).toEqual([]);
  });
});
