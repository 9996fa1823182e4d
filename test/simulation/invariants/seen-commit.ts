/** One commit as the invariants look at it: what the session was, what it became, who wrote it and when. */
import type { PlanModeEvent } from "../../../src/plan-mode/protocol/event.ts";
import type { PlanModeState } from "../../../src/plan-mode/protocol/state.ts";
import type { Session, SessionEvent } from "../../../src/protocol/session.ts";
import type { SchedulerState } from "../../../src/scheduler/protocol/schedule.ts";
import type { Memory } from "../../../src/store/memory/memory-store.ts";
import type { Commit } from "../../../src/store/store.ts";
import type { PersonRequest } from "../person-request.ts";

export type SeenCommit = {
  commit: Commit;
  /** As it was stored before the commit; undefined for a new session. */
  before: Session | undefined;
  after: Session | undefined;
  /** The process that wrote it. */
  origin: string;
  /** By the store's clock. */
  atMs: number;
  /** The person's request that it answers, if it does. */
  request: PersonRequest | undefined;
  memory: Memory;
};

/** Called with the invariant and what broke it; the run ends. */
export type Violated = (invariant: string, what: string) => void;

export type Watch = { committed(seen: SeenCommit): void };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsing each commit would take most of the time; the engine's own tests parse
export const planEventIn = (event: SessionEvent): PlanModeEvent | undefined =>
  event.type === "slice.changed" && event.slice === "planMode" ? (event.event as PlanModeEvent) : undefined;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
export const planOf = (session: Session | undefined): PlanModeState | undefined =>
  session?.slices["planMode"] as PlanModeState | undefined;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
export const jobsOf = (session: Session | undefined): SchedulerState | undefined =>
  session?.slices["scheduler"] as SchedulerState | undefined;
