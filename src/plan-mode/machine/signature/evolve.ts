/** How signatures and decisions change the state. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PhaseOf, PlanModeState, PlanPhase } from "../../protocol/state.ts";
import { never } from "../../../plugins/sdk.ts";
import { submittedPhase } from "../plan/cycle.ts";
import { remembering } from "../plan/evolve.ts";
import { samePerson } from "./approvers.ts";

export type SignatureEvent = PlanEventOf<
  | "plan.signed"
  | "plan.approved"
  | "plan.rejected"
  | "plan.auto_set"
  | "plan.standing_signed"
  | "plan.standing_begun"
  | "plan.amended"
>;

export function evolveSignature(state: PlanModeState, event: SignatureEvent): PlanModeState {
  switch (event.type) {
    case "plan.signed":
      return { ...state, now: signed(state.now, event) };
    case "plan.approved":
      return { ...state, now: executing(state.now, event) };
    case "plan.rejected":
      return { ...state, now: rejected(state.now, event) };
    case "plan.auto_set":
      return autoSet(state, event);
    case "plan.standing_signed":
      return standingSigned(state, event);
    case "plan.standing_begun":
      return { ...state, now: standingBegun(event) };
    case "plan.amended":
      return { ...state, now: amended(state.now, event) };
    default:
      return never(event);
  }
}

function autoSet({ autoBy: _before, ...state }: PlanModeState, event: PlanEventOf<"plan.auto_set">): PlanModeState {
  const { enabled, by, scopes } = event;
  return enabled && scopes !== undefined
    ? { ...state, auto: true, autoBy: { by, scopes } }
    : { ...state, auto: enabled };
}

/** Signing again replaces what the same person said before. */
function signed(now: PlanPhase, { signature, needs }: PlanEventOf<"plan.signed">): PlanPhase {
  if (now.phase !== "pending" && now.phase !== "rejected") throw new Error(`plan.signed in ${now.phase}`);
  const others = (now.signatures ?? []).filter(({ by }) => !samePerson(by, signature.by));
  return { ...now, signatures: [...others, signature], needs };
}

function executing(
  now: PlanPhase,
  { unlock, by, signatures, asks, scoped, held, presence, atMs }: PlanEventOf<"plan.approved">,
): PhaseOf<"executing"> {
  const { cycle, submission } = submittedPhase(now, "plan.approved");
  return {
    phase: "executing",
    mode: "executing",
    approval: unlock,
    cycle: { ...cycle, rejectionCount: 0 },
    steps: submission.steps, // exactly what was approved, whatever the draft had become
    submission,
    decidedBy: by,
    decidedAtMs: atMs,
    ...(signatures === undefined ? {} : { signatures }),
    ...(presence === undefined ? {} : { passkey: presence.credentialId }),
    ...(asks === undefined ? {} : { asks }),
    ...(scoped === undefined ? {} : { scoped }),
    ...(held === undefined ? {} : { held }),
  };
}

/** The run that submitted it is over: what was signed holds for those after it. */
function standingSigned(state: PlanModeState, { cycleId }: PlanEventOf<"plan.standing_signed">): PlanModeState {
  const { review: _past, ...rest } = remembering(state);
  const { steps } = state.now;
  return {
    ...rest,
    now: { phase: "off", mode: "normal", approval: "none", left: "completed", cycleId, steps },
  };
}

const standingBegun = (event: PlanEventOf<"plan.standing_begun">): PhaseOf<"executing"> => ({
  phase: "executing",
  mode: "executing",
  approval: event.unlock,
  cycle: event.cycle,
  steps: event.submission.steps,
  submission: event.submission,
  decidedBy: event.by,
  decidedAtMs: event.atMs,
  standing: event.standing,
  ...(event.scoped === undefined ? {} : { scoped: event.scoped }),
  ...(event.held === undefined ? {} : { held: event.held }),
});

function amended(now: PlanPhase, { amendment }: PlanEventOf<"plan.amended">): PhaseOf<"executing"> {
  if (now.phase !== "executing") throw new Error(`plan.amended in ${now.phase}`);
  return { ...now, amendments: [...(now.amendments ?? []), amendment] };
}

function rejected(now: PlanPhase, { feedback, by }: PlanEventOf<"plan.rejected">): PhaseOf<"rejected"> {
  const { cycle, submission, steps } = submittedPhase(now, "plan.rejected");
  return {
    phase: "rejected",
    mode: "plan",
    approval: "rejected",
    cycle: { ...cycle, rejectionCount: cycle.rejectionCount + 1 },
    steps,
    submission,
    feedback,
    decidedBy: by,
  };
}
