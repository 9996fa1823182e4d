/**
 * Runs that nobody attends only read (GA-14). This is the one place that says which run is held; it does not ask whether
 * plan mode is switched on. A run of a scheduled job is free while a plan that a person signed for it has work left
 * (`mandate`); sessions below it are not.
 */
import type { GateRefusal } from "../../protocol/gate.ts";
import type { Session, SessionKind } from "../../protocol/session.ts";
import { automationSettings } from "../../protocol/settings/automation-settings.ts";
import { isAlwaysUnattended, isAttended, isLent } from "./attendance.ts";
import { askSlices, type World } from "../decision.ts";
import type { ChildOrder } from "../effect.ts";
import type { Continuation, GatedCall } from "../slice.ts";

/**
 * A turn that continues an approved plan is not held while that plan has work left. An external agent has no turns
 * here, and nobody knows whether a person sits in front of it, so only the approved plan counts. A lent turn works
 * for the plan of a session above, which this state does not show: `refuseLent` asks that session at each call.
 */
function isHeld(session: Session, world: World): boolean {
  if (isAttended(session, world.context.settings)) return false;
  const { kind, turn } = session;
  if (isAlwaysUnattended(kind)) return !isMandated(session, world);
  if (isLent(session)) return false;
  if (kind !== "external" && (turn.status !== "running" || turn.continues !== true)) return true;
  return continuationOf(session, world) !== "work";
}

/** Whether a person signed a plan for exactly this run of a job, with work left in it. */
export const isMandated = (session: Session, world: World): boolean =>
  MANDATABLE.has(session.kind) &&
  askSlices(session, world, (slice, state, at) => slice.describe?.mandate?.(state, at) ?? false).includes(true);

/** The kinds of session that the runs of jobs have. */
const MANDATABLE: ReadonlySet<SessionKind> = new Set(["cron", "heartbeat"]);

/** Who stands behind an order to a session below: a person, or only the approved plan that the run goes on with. */
export function orderBacking(session: Session, world: World): Pick<TellChild, "attended" | "lent"> {
  if (isHeld(session, world) || isOnlyMandated(session, world)) return { attended: false };
  const isByPerson = isAttended(session, world.context.settings) && !isBoundByPlan(session, world.context.settings);
  return isByPerson ? { attended: true } : { attended: false, lent: true };
}

/** A signature for one run is not passed on to sessions below it. */
const isOnlyMandated = (session: Session, { context }: World): boolean =>
  isAlwaysUnattended(session.kind) && !isAttended(session, context.settings);

type TellChild = Extract<ChildOrder, { kind: "tell-child" }>;

const isBoundByPlan = (session: Session, settings: World["context"]["settings"]): boolean =>
  isLent(session) && automationSettings(settings).unattended !== "open";

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

/** For a lent turn: whoever lent it is asked now, because the plan may have ended or changed since the order. */
export function refuseLent(
  session: Session,
  call: GatedCall,
  { isWorkLeft, settings }: Above,
): GateRefusal | undefined {
  const isFree = call.effect === "read" || isWorkLeft || !isBoundByPlan(session, settings);
  return isFree ? undefined : { ...heldRefusal(session, call), matched: "no approved plan above has work left" };
}

/** `isWorkLeft`: an approved plan of a session above has steps left, and nothing there says hold. */
type Above = { isWorkLeft: boolean; settings: World["context"]["settings"] };

const MATCHED: Partial<Record<SessionKind, string>> = {
  chat: "no person started this turn",
  subagent: "no person started this turn",
  external: "no approved plan covers it",
};

const HINT =
  "Describe the change for your owner in your answer: what, where and why. A person decides on it and can start it.";

const RUN_HINT =
  "Submit the change as a plan with exit_plan_mode where you have that tool: it goes to the inbox of the job's owner. Otherwise describe it in your answer: what, where and why.";

function heldRefusal({ kind }: Session, { tool, kind: toolKind }: GatedCall): GateRefusal {
  const hint = MANDATABLE.has(kind) ? RUN_HINT : HINT;
  return {
    tool_name: tool,
    tool_kind: toolKind,
    hint,
    entered_at: null,
    entered_reason: null,
    rule: "unattended/held",
    matched: MATCHED[kind] ?? `a ${kind} run`,
    message: `${tool} was not run: nobody attends this run, so it may only read. ${hint}`,
  };
}
