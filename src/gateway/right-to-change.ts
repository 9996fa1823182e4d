/**
 * Whether things may still change in a session. A call or a program that was started while they might goes on only as
 * long: the answers are those that a new call would get, except for the permission prompt, which is for one call only.
 */
import { ancestorsOf } from "../agent/sub-agents/ancestors.ts";
import { isAlwaysUnattended } from "../core/held/attendance.ts";
import { isMandated } from "../core/held/held-runs.ts";
import type { SliceRegistry } from "../core/slice.ts";
import { type Lock, lockOf, PLAN_MODE_SLICE } from "../plan-mode/machine/gate.ts";
import { PlanModeState } from "../plan-mode/protocol/state.ts";
import type { Clock, Sessions } from "../plugins/sessions.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Session } from "../protocol/session.ts";
import { automationSettings } from "../protocol/settings/automation-settings.ts";
import { type Charge, chargeIn } from "../scheduler/protocol/standing.ts";

export type RightParts = {
  sessions: Pick<Sessions, "session">;
  slices: SliceRegistry;
  clock: Pick<Clock, "now">;
  settingsFor(session: Session): Readonly<Record<string, unknown>>;
  /** Operators and passkeys. */
  revoked: ReadonlySet<string>;
  /** Why no standing plan covers a run now; undefined while one does. */
  whyVoid(session: Session, charge: Charge): Promise<string | undefined>;
};

/** `until`: when it ends by itself. `planning`: plan mode alone is the reason, in which a person may allow single calls. */
export type Right = { untilMs?: number } | { lost: string; planning?: true };

export async function rightToChange(sessionId: SessionId, parts: RightParts): Promise<Right> {
  const session = await parts.sessions.session(sessionId);
  if (session === undefined) return { lost: "the session is gone" };
  const own = lockIn(session, parts);
  if (own !== undefined) return locked(own);
  const standing = standingOf(session);
  if (standing !== undefined) {
    const why = await parts.whyVoid(session, standing.charge);
    if (why !== undefined) return { lost: `no standing plan covers this run any more (${why})` };
  }
  // a person signed for this very run: as for its calls, sessions above are not asked
  if (isMandated(session, worldOf(session, parts))) return standing === undefined ? {} : { untilMs: standing.untilMs };
  if (isHeldByKind(session, parts)) return UNSIGNED;
  return rightAbove(session, parts);
}

async function rightAbove(session: Session, parts: RightParts): Promise<Right> {
  const above = await ancestorsOf(session, parts.sessions);
  if (above === "broken") return { lost: "a session above it cannot be found" };
  for (const ancestor of above) {
    const lock = lockIn(ancestor, parts);
    if (lock !== undefined) return locked(lock);
    if (isHeldByKind(ancestor, parts)) return UNSIGNED;
  }
  return {};
}

const UNSIGNED: Right = { lost: "no plan that a person signed covers this run any more" };

const WHY: Readonly<Record<Lock, string>> = {
  plan: "the session is in plan mode, where nothing may change",
  held: "the session is held, so that it may only read",
  revoked: "whoever approved the plan was revoked",
  checkpoint: "the steps that were accepted are done, and the others wait for a person",
};

const locked = (lock: Lock): Right => ({ lost: WHY[lock], ...(lock === "plan" ? { planning: true } : {}) });

/** An unreadable state counts as plan mode, as it does at the gate. */
function lockIn({ slices }: Session, { revoked }: RightParts): Lock | undefined {
  const stored = slices[PLAN_MODE_SLICE];
  if (stored === undefined) return undefined;
  const read = PlanModeState.safeParse(stored);
  return read.success ? lockOf(read.data, { revoked }) : "plan";
}

/** Runs of jobs change things only under a signature, unless the configuration says otherwise. */
const isHeldByKind = (session: Session, { settingsFor }: RightParts): boolean =>
  isAlwaysUnattended(session.kind) && automationSettings(settingsFor(session)).unattended !== "open";

function standingOf({ slices }: Session): { charge: Charge; untilMs: number } | undefined {
  const charge = chargeIn(slices);
  if (charge === undefined) return undefined;
  const now = PlanModeState.safeParse(slices[PLAN_MODE_SLICE]).data?.now;
  if (now?.phase !== "executing" || now.standing === undefined) return undefined;
  return { charge, untilMs: now.standing.untilMs };
}

const worldOf = (session: Session, { slices, clock, settingsFor, revoked }: RightParts) => ({
  slices,
  context: {
    nowMs: clock.now(),
    actor: { kind: "agent" as const, sessionId: session.id },
    fresh: [],
    settings: settingsFor(session),
    revoked,
  },
});
