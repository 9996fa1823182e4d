/**
 * Runs that nobody attends only read (GA-14). This is the one place that says which run is held; it does not ask whether
 * plan mode is switched on. A permission for unattended work, once there is one, belongs into `isHeld`.
 */
import type { GateRefusal } from "../protocol/gate.ts";
import type { Session, SessionKind } from "../protocol/session.ts";
import { automationSettings } from "../protocol/settings/automation-settings.ts";
import { isAlwaysUnattended, isAttended } from "./attendance.ts";
import { askSlices, type World } from "./decision.ts";
import type { Continuation, GatedCall } from "./slice.ts";

/**
 * A turn that continues an approved plan is not held while that plan has work left. An external agent has no turns
 * here, and nobody knows whether a person sits in front of it, so only the approved plan counts.
 */
export function isHeld(session: Session, world: World): boolean {
  if (isAttended(session, world.context.settings)) return false;
  const { kind, turn } = session;
  if (isAlwaysUnattended(kind)) return true;
  if (kind !== "external" && (turn.status !== "running" || turn.continues !== true)) return true;
  return continuationOf(session, world) !== "work";
}

/** What an agent that stopped by itself should do: `hold` outweighs `work`. */
export function continuationOf(session: Session, world: World): Continuation {
  const answers = askSlices(session, world, (slice, state, at) => slice.describe?.continuation?.(state, at));
  return answers.find((answer) => answer === "hold") ?? answers.find((answer) => answer === "work");
}

/** The refusal of a mutating call in a held run; undefined where the run is not held, or the call reads. */
export function refuseHeld(session: Session, call: GatedCall, world: World): GateRefusal | undefined {
  return call.effect !== "read" && isHeld(session, world) ? heldRefusal(session, call) : undefined;
}

/** For a child of a session that is unattended by its kind: whoever writes to it, it works for a held run. */
export function refuseBelowHeld(above: Session, call: GatedCall, settings: World["context"]["settings"]) {
  const isOpen = automationSettings(settings).unattended === "open";
  return isOpen || !isAlwaysUnattended(above.kind) ? undefined : heldRefusal(above, call);
}

const MATCHED: Partial<Record<SessionKind, string>> = {
  chat: "no person started this turn",
  subagent: "no person started this turn",
  external: "no approved plan covers it",
};

const HINT =
  "Describe the change for your owner in your answer: what, where and why. A person decides on it and can start it.";

function heldRefusal({ kind }: Session, { tool, kind: toolKind }: GatedCall): GateRefusal {
  return {
    tool_name: tool,
    tool_kind: toolKind,
    hint: HINT,
    entered_at: null,
    entered_reason: null,
    rule: "unattended/held",
    matched: MATCHED[kind] ?? `a ${kind} run`,
    message: `${tool} was not run: nobody attends this run, so it may only read. ${HINT}`,
  };
}
