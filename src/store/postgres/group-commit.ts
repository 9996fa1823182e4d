/**
 * Commits that wait at the same time are one transaction, as in SQLite's writer.
 *
 *   waiting ──a group is free──▶ one statement for all ──written──▶ answered, each with its own result
 *                                        ├──left out, or the statement failed──▶ alone, which says why
 *                                        └──no reply──▶ each is read back by its key
 */
import { createDocumentText, serialised, type SerialisedCommit, storedEvents } from "../sql/serialise.ts";
import type { Commit, CommitResult, StoreFailure } from "../store.ts";
import { ConnectionError, type Rows } from "./connections.ts";
import { isGroupable } from "./group-statement.ts";
import { resultOfError } from "./result-of-error.ts";

/** Enough to share one round trip and one sync among many; few enough that the first of them does not wait long. */
const GROUP_COMMITS_MAX = 256;
/** Larger groups would keep others from the head of the audit chain for too long. */
const GROUP_CHARS_MAX = 4_000_000;
/** While the server syncs one group, the next one is on its way. */
const GROUPS_MAX = 2;
/** More than this waiting for the server, and new commits are turned away instead of filling the memory. */
const WAITING_MAX = 20_000;

/** A commit beside its columns: serialised once, whichever way it goes. */
export type Pending = { commit: Commit; given: SerialisedCommit };

export type GroupCommit = {
  commit(commit: Commit): Promise<CommitResult>;
  /** Resolves when everything that was waiting is answered. */
  idle(): Promise<void>;
};

export type GroupParts = {
  /** One statement for all: a row with `id`, `version` and `cursors` for each that was written. */
  group(commits: readonly SerialisedCommit[]): Promise<Rows>;
  alone(pending: Pending): Promise<CommitResult>;
  /** After a statement without a reply: what became of this one. */
  readBack(given: SerialisedCommit, error: unknown): Promise<CommitResult>;
};

type Waiter = Pending & {
  /** What no other commit under way may touch, and how long it is: looked at each time a group is put together. */
  places: readonly string[];
  chars: number;
  resolve(result: CommitResult | Promise<CommitResult>): void;
};

export function createGroupCommit(parts: GroupParts): GroupCommit {
  const waiting: Waiter[] = [];
  const underWay = new Set<Promise<unknown>>();
  const busy = new Set<string>();
  const documentText = createDocumentText();
  let groups = 0;

  function track(work: Promise<unknown>): void {
    underWay.add(work);
    void work.then(
      () => underWay.delete(work),
      () => underWay.delete(work),
    );
  }

  /** Called when commits of the same tick have gathered, and when a group has ended. */
  function flush(): void {
    while (groups < GROUPS_MAX) {
      const group = waiting.splice(0, groupLength(waiting, busy));
      if (group.length === 0) return;
      const places = group.flatMap((one) => one.places);
      for (const place of places) busy.add(place);
      groups += 1;
      void settle(parts, group).finally(() => {
        for (const place of places) busy.delete(place);
        groups -= 1;
        flush();
      });
    }
  }

  return {
    commit(commit) {
      const given = serialised(commit, documentText);
      if (!isGroupable(given)) {
        const result = parts.alone({ commit, given });
        track(result);
        return result;
      }
      if (waiting.length >= WAITING_MAX) return Promise.resolve({ status: "failed", failure: CROWDED });
      if (waiting.length === 0) setImmediate(flush); // commits of the same tick travel together
      const [places, chars] = [placesOf(given), charsOf(given)];
      const result = new Promise<CommitResult>((resolve) => waiting.push({ commit, given, places, chars, resolve }));
      track(result);
      return result;
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

/** Those that go alone afterwards do not keep the next group waiting. */
async function settle(parts: GroupParts, group: readonly Waiter[]): Promise<void> {
  const [first] = group;
  if (first !== undefined && group.length === 1) {
    const result = parts.alone(first);
    first.resolve(result);
    await result.catch(() => undefined); // it is thrown at whoever asked
    return;
  }
  try {
    const rows = await parts.group(group.map(({ given }) => given));
    const written = new Map(rows.map((row) => [row["id"], row]));
    for (const one of group) {
      const row = written.get(one.given.sessionId);
      one.resolve(row === undefined ? parts.alone(one) : committedAs(row, one.commit));
    }
  } catch (error) {
    for (const one of group) one.resolve(afterFailure(parts, one, error));
  }
}

function afterFailure(parts: GroupParts, one: Waiter, error: unknown): CommitResult | Promise<CommitResult> {
  if (error instanceof ConnectionError) return parts.readBack(one.given, error);
  const result = resultOfError(error);
  return result?.status === "failed" ? result : parts.alone(one); // only one of them is to blame
}

/** As many of the first as are of different sessions and under different keys, none of which is under way. */
function groupLength(waiting: readonly Waiter[], busy: ReadonlySet<string>): number {
  const taken = new Set<string>();
  let chars = 0;
  for (const [index, { places, chars: length }] of waiting.entries()) {
    chars += length;
    const isFull = index === GROUP_COMMITS_MAX || (index > 0 && chars > GROUP_CHARS_MAX);
    if (isFull || places.some((place) => taken.has(place) || busy.has(place))) return index;
    for (const place of places) taken.add(place);
  }
  return waiting.length;
}

const placesOf = ({ sessionId, idempotency }: SerialisedCommit): string[] => [
  sessionId,
  ...(idempotency === null ? [] : [JSON.stringify([idempotency.principal, idempotency.key])]),
];

const charsOf = ({ session, events }: SerialisedCommit): number =>
  events.reduce((chars, body) => chars + body.length, session?.doc.length ?? 0);

export function committedAs(row: Rows[number], commit: Commit): CommitResult {
  const cursors: unknown = row["cursors"] ?? [];
  const numbers = Array.isArray(cursors) ? cursors.map(Number) : [];
  return { status: "committed", version: Number(row["version"]), events: storedEvents(commit, numbers) };
}

const CROWDED: StoreFailure = {
  reason: "unreachable",
  outcome: "nothing-written",
  message: "Too many writes wait for PostgreSQL: nothing was changed. Try again in a moment.",
};
