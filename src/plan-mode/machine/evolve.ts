/** How each fact changes plan mode, by idea. Facts are never judged here: what may happen was settled in `decide`. */
import type { PlanModeEvent } from "../protocol/event.ts";
import type { PlanModeState } from "../protocol/state.ts";
import { never } from "../../plugins/sdk.ts";
import { evolveEvidence } from "./evidence/evolve.ts";
import { withoutGrant, withoutVoidGrant } from "./grant/grant.ts";
import { evolveGated } from "./hold/gated.ts";
import { evolveTried } from "./hold/tried.ts";
import { evolveHold, withoutVoidHold } from "./hold/evolve.ts";
import { evolveReview, NO_REVIEW } from "./note/evolve.ts";
import { evolvePlan } from "./plan/evolve.ts";
import { evolveReach } from "./reach/reach.ts";
import { evolveReading } from "./reading/reading-change.ts";
import { evolveSeed } from "./seed/evolve.ts";
import { evolveStages } from "./stage/evolve.ts";
import { evolveSignature } from "./signature/evolve.ts";

export const INITIAL: PlanModeState = {
  now: { phase: "off", mode: "normal", approval: "none", left: "never", steps: [] },
  auto: false,
  question: null,
};

export function evolve(state: PlanModeState, event: PlanModeEvent): PlanModeState {
  return withoutVoidHold(withoutVoidGrant(evolved(state, event), event), event);
}

function evolved(state: PlanModeState, event: PlanModeEvent): PlanModeState {
  switch (event.type) {
    case "plan.entered":
    case "plan.refreshed":
    case "plan.left":
    case "plan.submitted":
    case "plan.timed_out":
    case "plan.updated":
    case "plan.completed":
      return evolvePlan(state, event);
    case "plan.seeded":
    case "plan.archetype_set":
      return { ...state, now: evolveSeed(state.now, event) };
    case "plan.signed":
    case "plan.approved":
    case "plan.rejected":
    case "plan.auto_set":
    case "plan.standing_signed":
    case "plan.standing_begun":
    case "plan.amended":
      return evolveSignature(state, event);
    case "run.gated":
      return evolveGated(state, event);
    case "run.tried":
      return evolveTried(state, event);
    case "hold.set":
    case "hold.lifted":
    case "loosening.signed":
      return evolveHold(state, event);
    case "note.added":
    case "note.replied":
    case "note.resolved":
    case "note.reopened":
    case "notes.moved":
      return { ...state, review: evolveReview(state.review ?? NO_REVIEW, event) };
    case "question.asked":
      return { ...state, question: event.question };
    case "question.answered":
    case "question.closed":
      return { ...state, question: null };
    case "grant.given":
      return { ...state, grant: event.grant };
    case "grant.spent":
      return withoutGrant(state);
    case "permission.set":
      return { ...state, permission: event.mode };
    case "plan.staged":
      return { ...state, now: evolveStages(state.now, event) };
    case "plan.changed":
    case "evidence.captured":
    case "evidence.given":
      return { ...state, now: evolveEvidence(state.now, event) };
    case "plan.reading":
      return evolveReading(state, event);
    case "approval.reminded":
    case "approval.put_off":
    case "approval.undelivered":
      return evolveReach(state, event);
    case "grant.denied":
    case "plan.shared":
    case "plan.unshared":
    case "plan.nudged":
    case "plan.rested":
      return state; // kept in the records, or answered by the nudges
    default:
      return never(event);
  }
}
