/**
 * Programs in the background of a session, and the gate. A program that was started while it was allowed to is ended in
 * the moment in which its session, or one above it, enters plan mode: nothing may change there, by whatever was started
 * before either (I01, I16).
 *
 *   commit ─┬─ session deleted, reset ──▶ ended and forgotten
 *           └─ plan mode, here or above ─▶ ended at once; the agent reads why, and people see a notice
 *   start  ──▶ looked at once more: the mode may have changed between the permit and the start
 *
 * Where several gateways share a store, commits of the others do not arrive here; so sessions with running programs are
 * checked again and again.
 */
import { z } from "zod";
import { ancestorsOf } from "../agent/sub-agents/ancestors.ts";
import { PLAN_MODE_SLICE } from "../plan-mode/machine/gate.ts";
import type { Clock, Sessions } from "../plugins/sessions.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Session } from "../protocol/session.ts";
import { noticeOf, localized } from "../protocol/localized/localized-text.ts";
import type { ProcessTable } from "../tools/builtin/exec/process-table.ts";

const LOOK_EVERY_MS = 1_000;
const REASON = "the session is in plan mode, where nothing may change";
const NOTED = { kind: "background_ended", priority: 2 } as const;

export type BackgroundParts = {
  processes: ProcessTable;
  sessions: Sessions;
  clock: Clock;
  /** Whether other gateways write to the same store. */
  shared: boolean;
  report(error: unknown): void;
};

export function watchBackground(parts: BackgroundParts): { stop(): void } {
  const { processes, sessions, clock, shared } = parts;
  const look = (ids: readonly SessionId[]): void => {
    for (const id of ids) void endIfPlanning(id, parts).catch(parts.report);
  };
  const stopListening = sessions.onCommitted(({ sessionId, session, events }) => {
    const isOver = session === undefined || events.some(({ event }) => event.type === "session.reset");
    if (isOver) void processes.endSession(sessionId).catch(parts.report);
    if (events.some(({ event }) => event.type === "slice.changed")) look(processes.sessions());
  });
  processes.onStarted((sessionId) => look([sessionId]));
  let callOff: (() => void) | undefined;
  const again = (): void => {
    look(processes.sessions());
    callOff = clock.wakeAt(clock.now() + LOOK_EVERY_MS, again);
  };
  if (shared) again();
  return {
    stop() {
      stopListening();
      callOff?.();
    },
  };
}

const Mode = z.object({ now: z.object({ mode: z.string() }) });

/** An unreadable state counts as plan mode, as it does at the gate. */
function isPlanning({ slices }: Session): boolean {
  const stored = slices[PLAN_MODE_SLICE];
  if (stored === undefined) return false;
  const read = Mode.safeParse(stored);
  return !read.success || read.data.now.mode === "plan";
}

async function mayRun(sessionId: SessionId, sessions: Sessions): Promise<boolean> {
  const session = await sessions.session(sessionId);
  if (session === undefined) return false;
  const above = await ancestorsOf(session, sessions);
  return above !== "broken" && ![session, ...above].some(isPlanning);
}

async function endIfPlanning(sessionId: SessionId, parts: BackgroundParts): Promise<void> {
  const { processes, sessions } = parts;
  // while the store cannot be read the mode is unknown, so the program does not go on
  const allowed = await mayRun(sessionId, sessions).catch((error: unknown) => {
    parts.report(error);
    return false;
  });
  if (allowed) return;
  const ended = await processes.endRunning(sessionId, REASON);
  if (ended.length > 0) await tell(sessionId, ended, parts);
}

async function tell(sessionId: SessionId, ended: readonly string[], { sessions, clock }: BackgroundParts) {
  const by = { actor: { kind: "system", reason: "background programs" } } as const;
  const words = localized("backgroundEnded", { programs: ended.join(", ") });
  await sessions.dispatch(sessionId, { type: "notice.add", ...noticeOf(words) }, by);
  const injection = { ...NOTED, id: `background:${ended.join(",")}`, text: words.text, createdAtMs: clock.now() };
  await sessions.dispatch(sessionId, { type: "injection.add", injection, wake: false }, by);
}
