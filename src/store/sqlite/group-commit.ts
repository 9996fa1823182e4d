/**
 * Many jobs, one transaction, one fsync; and what becomes of the jobs when the disk says no.
 *
 *   writable ──disk full──▶ full ──ballast aboard again──▶ writable      full: vital jobs only, on the freed ballast
 *   writable ──cannot write──▶ read-only ──the folder can be written again──▶ writable
 *   any ──fsync or I/O error, also while the log is moved into the database──▶ thrown: nothing more is acknowledged,
 *         the process ends
 */
import type { StoreFailure, StoreHealth } from "../store.ts";
import type { Connection } from "./connection.ts";
import { diagnose, type Diagnosis, failures, probeFolder } from "./failure.ts";
import type { Job, Outcome } from "./jobs.ts";
import { createReserve } from "./reserve.ts";

type State = "writable" | "full" | "read-only";

export type GroupCommit = {
  /** One outcome per job, in the same order. Throws when the disk can no longer be trusted. */
  run(jobs: Job[]): Outcome[];
  /**
   * Moves the log into the database when it has become long. Called after the answers: what is in the log is synced, and
   * nobody needs to wait for more. Throws like `run`.
   */
  moveLog(pagesMin?: number): void;
  /** Looks whether the disk takes writes again. Called now and then while it does not. */
  recover(): void;
  health(): StoreHealth;
  close(): void;
};

export function createGroupCommit(folder: string, connection: Connection): GroupCommit {
  const reserve = createReserve(folder);
  let state: State = reserve.refill() ? "writable" : "full";
  const diagnosis = (error: unknown): Diagnosis => diagnose(error, () => probeFolder(folder));

  function attempt(jobs: Job[]): Outcome[] {
    try {
      return connection.transact(jobs);
    } catch (error) {
      switch (diagnosis(error)) {
        case "full":
          return whenFull(jobs);
        case "read-only":
          state = "read-only";
          return jobs.map(() => failed(failures["read-only"]));
        case "busy":
          return jobs.map(() => failed(failures.busy));
        case "bug":
          return jobs.length === 1 ? [broken(error)] : jobs.flatMap((job) => attempt([job])); // only one is to blame
        case "fatal":
          throw error;
      }
    }
  }

  function whenFull(jobs: Job[]): Outcome[] {
    if (state === "full") return jobs.map(() => failed(failures.full)); // the ballast is used up as well
    state = "full";
    reserve.release();
    return vitalOnly(jobs);
  }

  function vitalOnly(jobs: Job[]): Outcome[] {
    const vital = jobs.filter((job) => job.vital);
    const outcomes = vital.length === 0 ? [] : attempt(vital);
    if (vital.length > 0) recycleLog();
    return jobs.map((job) => (job.vital ? outcomes.shift() : undefined) ?? failed(failures.full));
  }

  function recycleLog(): void {
    try {
      connection.recycleLog();
    } catch (error) {
      if (diagnosis(error) === "fatal") throw error;
    }
  }

  function recover(): void {
    if (state === "full" && reserve.refill()) state = "writable";
    if (state === "read-only" && probeFolder(folder) === undefined && connection.reopen()) state = "writable";
  }

  return {
    run(jobs) {
      recover();
      if (state === "read-only") return jobs.map(() => failed(failures["read-only"]));
      if (state === "full") return vitalOnly(jobs);
      return attempt(jobs);
    },
    moveLog(pagesMin) {
      if (state === "writable" && connection.isLogLong(pagesMin)) recycleLog();
    },
    recover,
    health: () => HEALTH[state],
    close: connection.close,
  };
}

const HEALTH: Record<State, StoreHealth> = {
  writable: { writable: true, detail: "SQLite" },
  full: { writable: false, detail: "The disk is full: only rejections, time-outs and stops are taken." },
  "read-only": { writable: false, detail: "The state folder cannot be written." },
};

const failed = (failure: StoreFailure): Outcome => ({ status: "failed", failure });
const broken = (error: unknown): Outcome => ({
  status: "broken",
  message: error instanceof Error ? error.message : String(error),
});
