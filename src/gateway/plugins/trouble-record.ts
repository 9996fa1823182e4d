/** Troubles of plugins in the audit chain: what the store could not take is kept and tried again until it did. */
import type { Clock } from "../../engine/clock.ts";
import type { OwnFact } from "../../protocol/audit.ts";
import type { CommitResult, Store } from "../../store/store.ts";

const RETRY_FIRST_MS = 1_000;
const RETRY_MS_MAX = 60_000;
/** Beyond it the oldest are given up, and `unrecorded` counts them: a store that is away for days must not fill memory. */
const WAITING_MAX = 1_000;

export type TroubleRecord = {
  add(pluginId: string, reason: string): void;
  /** A line for operators while something is not recorded. */
  notes(): string[];
};

type Trouble = { atMs: number; fact: OwnFact };
type Parts = { store: Pick<Store, "audit">; clock: Clock; report(error: unknown): void };

export function createTroubleRecord({ store, clock, report }: Parts): TroubleRecord {
  const waiting: Trouble[] = [];
  let givenUp = 0;
  let isWriting = false;
  let failures = 0;

  async function writeAll(): Promise<void> {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const problem = problemOf(await store.audit({ atMs: first.atMs, actor: "system:plugins", facts: [first.fact] }));
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
    add(pluginId, reason) {
      if (
        waiting.push({ atMs: clock.now(), fact: { type: "plugin.trouble", detail: { id: pluginId, reason } } }) >
        WAITING_MAX
      )
        givenUp += waiting.splice(1, 1).length; // the first may be on its way to the store
      write();
    },
    notes: () =>
      failures === 0 && givenUp === 0
        ? [] // none, or on their way
        : [`${waiting.length + givenUp} troubles of plugins are not in the audit yet: the store did not take them.`],
  };
}

const problemOf = (result: CommitResult): string | undefined =>
  result.status === "committed" ? undefined : result.status === "failed" ? result.failure.message : result.status;
