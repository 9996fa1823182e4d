/**
 * Removes what a plugin left behind from every session. A mark is stored when the plugin is enabled, so the cleanup happens
 * whether it was switched off, the gateway was killed half-way, or it was removed while no gateway ran.
 *
 *   mark ─▶ its jobs ─▶ all sessions, a page at a time ─┬─ something was found ─▶ once more: a session that changed meanwhile may
 *                                                       │                 have moved to a page that was read before
 *                                                       └─ nothing left ─▶ mark removed
 *
 * Orders that its machines gave are no part of sessions and stay: they are performed when the plugin comes back, and until
 * then, also when it was removed, they are reported. Somebody was promised that work, so nothing drops it by itself.
 */
import type { SessionId } from "../../protocol/ids.ts";
import type { Session } from "../../protocol/session.ts";
import type { PluginRuntime, CleanupMark } from "../plugin-runtime.ts";
import type { Clock } from "../sessions.ts";

const PASSES_MAX = 8;
const RETRY_MS = 30_000;

export type CleanupParts = {
  clock: Clock;
  runtime(): PluginRuntime | undefined;
  /** True when the plugin is enabled again: then its state is in use. */
  isEnabled(pluginId: string): boolean;
  /** Called for each session that something was removed from. */
  cleanedUp(pluginId: string, sessionId: SessionId): Promise<void>;
  report(error: unknown): void;
};

export type Cleanup = {
  /** Resolves when the mark is durable; the cleanup runs afterwards. */
  begin(mark: CleanupMark): Promise<void>;
  /** Marks plugins that may leave state from now on. */
  note(marks: readonly CleanupMark[]): Promise<void>;
  /** Cleans up after marked plugins that are no longer enabled. */
  resume(): Promise<void>;
  /** Resolves when no cleanup is running. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};

export function createCleanup(parts: CleanupParts): Cleanup {
  const underWay = new Map<string, Promise<void>>();
  const waiting = new Map<string, () => void>();
  const noted = createNoted();
  let stopped = false;

  function work(mark: CleanupMark, runtime: PluginRuntime): void {
    const { pluginId } = mark;
    const before = underWay.get(pluginId) ?? Promise.resolve();
    const mine = before
      .then(() => cleanUpSessions(mark, runtime))
      .catch((error: unknown) => {
        parts.report(error);
        if (!stopped)
          waiting.set(
            pluginId,
            parts.clock.wakeAt(parts.clock.now() + RETRY_MS, () => work(mark, runtime)),
          );
      })
      .finally(() => {
        if (underWay.get(pluginId) === mine) underWay.delete(pluginId);
      });
    underWay.set(pluginId, mine);
  }

  async function cleanUpSessions(mark: CleanupMark, runtime: PluginRuntime): Promise<void> {
    const isOver = (): boolean => stopped || parts.isEnabled(mark.pluginId);
    const cleanedUp = (sessionId: SessionId): Promise<void> => parts.cleanedUp(mark.pluginId, sessionId);
    if (!isOver()) await runtime.scheduler?.removeOwned(mark.pluginId);
    for (let pass = 0; pass < PASSES_MAX && !isOver(); pass++) {
      if ((await passOver({ mark, runtime, isOver, cleanedUp })) === 0) break;
    }
    if (!isOver()) await runtime.scheduler?.removeOwned(mark.pluginId); // an order to schedule may have been on its way
    if (!isOver()) await runtime.marks.remove(mark.pluginId);
  }

  return {
    async begin(mark) {
      const runtime = parts.runtime();
      if (runtime === undefined) return;
      await noted.put([mark], runtime);
      const known = (await runtime.marks.list()).find(({ pluginId }) => pluginId === mark.pluginId);
      work(known ?? mark, runtime);
    },
    async note(marks) {
      const runtime = parts.runtime();
      if (runtime !== undefined) await noted.put(marks, runtime);
    },
    async resume() {
      const runtime = parts.runtime();
      if (runtime === undefined) return;
      for (const mark of await runtime.marks.list()) {
        if (!parts.isEnabled(mark.pluginId)) work(mark, runtime);
      }
    },
    async idle() {
      await Promise.all(underWay.values());
    },
    async stop() {
      stopped = true;
      for (const callOff of waiting.values()) callOff();
      await noted.settled();
      await Promise.all(underWay.values());
    },
  };
}

/** Nobody who enables a plugin waits for its mark; `stop` does, because the folder it lies in may go afterwards. */
function createNoted() {
  const noting = new Set<Promise<void>>();
  return {
    async put(marks: readonly CleanupMark[], runtime: PluginRuntime): Promise<void> {
      const mine = runtime.marks.put(marks);
      noting.add(mine);
      try {
        await mine;
      } finally {
        noting.delete(mine);
      }
    },
    settled: () => Promise.allSettled(noting),
  };
}

type Pass = {
  mark: CleanupMark;
  runtime: PluginRuntime;
  isOver(): boolean;
  cleanedUp(sessionId: SessionId): Promise<void>;
};

/** The number of sessions that something was removed from. */
async function passOver({ mark, runtime, isOver, cleanedUp }: Pass): Promise<number> {
  let found = 0;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<PluginRuntime["sessionPages"]>> = await runtime.sessionPages(cursor);
    for (const sessionId of page.sessionIds) {
      if (isOver()) return found;
      if (!(await empty(sessionId, mark, runtime))) continue;
      found += 1;
      await cleanedUp(sessionId);
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

async function empty(sessionId: SessionId, mark: CleanupMark, { sessions }: PluginRuntime): Promise<boolean> {
  const session = await sessions.session(sessionId);
  if (session === undefined || !holds(session, mark)) return false;
  const { slices, injectionKind, pluginId } = mark;
  const actor = { kind: "system", reason: `sweep ${pluginId}` } as const;
  for (const slice of slices.length > 0 ? slices : [injectionKind]) {
    const outcome = await sessions.dispatch(sessionId, { type: "slice.drop", slice, injectionKind }, { actor });
    const isGone = !outcome.ok && outcome.refusal.code === "SESSION_NOT_FOUND";
    if (!outcome.ok && !isGone) throw new Error(`${sessionId}: ${outcome.refusal.message}`);
  }
  return true;
}

function holds(session: Session, { slices, injectionKind }: CleanupMark): boolean {
  return (
    slices.some((slice) => slice in session.slices || session.timers.some((timer) => timer.slice === slice)) ||
    session.injections.some((injection) => injection.kind === injectionKind)
  );
}
