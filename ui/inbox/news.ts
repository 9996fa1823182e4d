/** What came to wait, and what does so no longer, between two looks at the list. */
import type { WaitingSession } from "../state/waiting-list.ts";

export type News = { arrived: readonly WaitingSession[]; gone: readonly string[] };

export function newsBetween(before: readonly WaitingSession[], now: readonly WaitingSession[]): News {
  const known = new Set(before.map(({ waiting }) => waiting.id));
  const still = new Set(now.map(({ waiting }) => waiting.id));
  return {
    arrived: now.filter(({ waiting }) => !known.has(waiting.id)),
    gone: [...known].filter((id) => !still.has(id)),
  };
}
