/** Which part of what waits a person wants to see. */
import type { WaitingSession } from "../state/waiting-list.ts";
import type { PlanFacts } from "./plan-facts.ts";

export const FILTERS = ["all", "plans", "questions", "soon", "risky", "unread"] as const;
export type FilterName = (typeof FILTERS)[number];

/** What is due within the hour is due soon. */
const SOON_MS = 3_600_000;

export type FilterParts = {
  filter: FilterName;
  search: string;
  facts: ReadonlyMap<string, PlanFacts>;
  read: ReadonlySet<string>;
  nowMs: number;
};

export const filterWaiting = (waiting: readonly WaitingSession[], parts: FilterParts): readonly WaitingSession[] =>
  waiting.filter((item) => isWanted(item, parts) && isFound(item, parts.search));

function isWanted({ waiting }: WaitingSession, { filter, facts, read, nowMs }: FilterParts): boolean {
  switch (filter) {
    case "all":
      return true;
    case "plans":
      return waiting.kind === "approval";
    case "questions":
      return waiting.kind === "question";
    case "soon":
      return waiting.deadlineMs !== null && waiting.deadlineMs - nowMs <= SOON_MS;
    case "risky":
      return (facts.get(waiting.id)?.risks ?? 0) > 0;
    case "unread":
      return !read.has(waiting.id);
  }
}

/** Every word somewhere in the title of the plan or of its session. */
function isFound({ title, waiting }: WaitingSession, search: string): boolean {
  const text = `${waiting.title} ${title}`.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
