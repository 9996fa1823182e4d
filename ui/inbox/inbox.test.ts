import { describe, expect, it } from "vitest";
import type { WaitingSession } from "../state/waiting-list.ts";
import { type FilterName, FILTERS, filterWaiting } from "./inbox-filter.ts";

const item = (id: string, kind: "approval" | "question", deadlineMs: number | null): WaitingSession =>
  ({
    id: `ses_${id}`,
    title: `Session ${id}`,
    waiting: { kind, id, title: `Paint ${id}`, sinceMs: 0, deadlineMs },
  }) as never;

const WAITING = [
  item("shed", "approval", 1_000),
  item("fence", "approval", 9_000_000),
  item("colour", "question", null),
];
const facts = new Map([["fence", { planId: "pln_1" as never, steps: 3, risks: 2, jobs: 0 }]]);

describe("the filter of the inbox", () => {
  const shown = (filter: FilterName, search = ""): string[] =>
    filterWaiting(WAITING, { filter, search, facts, read: new Set(["shed"]), nowMs: 0 }).map(
      ({ waiting }) => waiting.id,
    );

  it("[UI-15] shows all, one kind, what is due within the hour, what names risks, and what nobody opened", () => {
    expect(FILTERS.map((filter) => [filter, shown(filter)])).toEqual([
      ["all", ["shed", "fence", "colour"]],
      ["plans", ["shed", "fence"]],
      ["questions", ["colour"]],
      ["soon", ["shed"]],
      ["risky", ["fence"]],
      ["unread", ["fence", "colour"]],
    ]);
  });

  it("[UI-15] finds words in any order in the title of the plan and of its session", () => {
    expect([shown("all", "session PAINT shed"), shown("plans", "colour"), shown("all", "  ")]).toEqual([
      ["shed"],
      [],
      ["shed", "fence", "colour"],
    ]);
  });
});
