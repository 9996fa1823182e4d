/** How a store could be broken, to see that the simulation notices. */
import type { Memory } from "../../src/store/memory/memory-store.ts";
import type { Commit } from "../../src/store/store.ts";
import type { Random } from "../kit/random.ts";

export type StoreSabotage =
  | "acknowledges-before-sync"
  | "ignores-versions"
  | "forgets-keys"
  | "forgets-outbox"
  | "forgets-timers"
  | "forgets-audit"
  | "writes-half";

type Breaking = { memory: Memory; sabotage: StoreSabotage | undefined; random: Random };

/** The commit as a store with this fault would take it. */
export function sabotaged(commit: Commit, { memory, sabotage, random }: Breaking): Commit {
  switch (sabotage) {
    case "ignores-versions":
      return { ...commit, expectedVersion: memory.sessions.get(commit.sessionId)?.version ?? 0 };
    case "forgets-keys": {
      const { idempotency: _key, ...rest } = commit;
      return rest;
    }
    case "forgets-outbox":
      return random.next() < 0.2 ? { ...commit, outbox: [] } : commit;
    case "forgets-timers": // the rows are written when an event says so
      return { ...commit, events: commit.events.filter(({ type }) => type !== "timer.set") };
    case "forgets-audit":
      return random.next() < 0.2 ? { ...commit, audit: [] } : commit;
    case "writes-half":
      return random.next() < 0.1 ? { ...commit, events: commit.events.slice(0, 1), artifacts: [] } : commit;
    case "acknowledges-before-sync":
    case undefined:
      return commit;
  }
}
