/** Facts outside any session in the audit chain: what the store could not take is kept and tried again until it did. */
import type { Clock } from "../engine/clock.ts";
import type { OwnFact } from "../protocol/audit.ts";
import type { CommitResult, Store } from "../store/store.ts";

const RETRY_FIRST_MS = 1_000;
const RETRY_MS_MAX = 60_000;
/** Beyond it the oldest are given up, and `notes` counts them: a store that is away for days must not fill memory. */
const WAITING_MAX = 1_000;

export type FactRecord = {
  add(actor: string, facts: OwnFact[]): void;
  /** A line for operators while something is not recorded. */
  notes(): string[];
};

type Waiting = { atMs: number; actor: string; facts: OwnFact[] };
/** `what`: how operators call these facts. */
type Parts = { store: Pick<Store, "audit">; clock: Clock; what: string; report(error: unknown): void };

export function createFactRecord({ store, clock, what, report }: Parts): FactRecord {
  const waiting: Waiting[] = [];
  let givenUp = 0;
  let isWriting = false;
  let failures = 0;

  async function writeAll(): Promise<void> {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const problem = problemOf(await store.audit(first));
      if (problem !== undefined) throw new Error(problem);
      waiting.shift();
      failures = 0;
    }
  }

  function write(): void {
    if (isWriting) return;
    isWriting = true;
    void writeAll()
      .then(() => void (isWriting = false))
      .catch((error: unknown) => {
        report(error);
        const waitMs = Math.min(RETRY_FIRST_MS * 2 ** failures++, RETRY_MS_MAX);
        clock.wakeAt(clock.now() + waitMs, () => {
          isWriting = false;
          write();
        });
      });
  }

  return {
    add(actor, facts) {
      if (waiting.push({ atMs: clock.now(), actor, facts }) > WAITING_MAX) givenUp += waiting.splice(1, 1).length; // the first may be on its way to the store
      write();
    },
    notes: () =>
      failures === 0 && givenUp === 0
        ? [] // none, or on their way
        : [`${waiting.length + givenUp} ${what} are not in the audit yet: the store did not take them.`],
  };
}

const problemOf = (result: CommitResult): string | undefined =>
  result.status === "committed" ? undefined : result.status === "failed" ? result.failure.message : result.status;
