/**
 * What each fact asks for, by idea. All of it commits with the fact: a decision, its injection, the turn that resumes the
 * agent and the audit entry are there together or not at all.
 */
import type { PlanModeEvent } from "../protocol/event.ts";
import type { PlanModeState } from "../protocol/state.ts";
import { type Effect, never } from "../../plugins/sdk.ts";
import { capturedEffects, givenEffects } from "./evidence/effects.ts";
import { grantEffects } from "./grant/effects.ts";
import { outsideEffects } from "./hold/outside-effects.ts";
import { holdEffects } from "./hold/effects.ts";
import { reviewEffects } from "./note/effects.ts";
import { permissionEffects } from "./permission/set-permission-mode.ts";
import { planEffects } from "./plan/effects.ts";
import { questionEffects } from "./question/effects.ts";
import { readingEffects } from "./reading/reading-change.ts";
import { amendedEffects } from "./scope/effects.ts";
import { seedEffects } from "./seed/effects.ts";
import { shareEffects } from "./share/share.ts";
import { signatureEffects } from "./signature/effects.ts";
import { stagedEffects } from "./stage/effects.ts";
import { standingBegunEffects, standingSignedEffects } from "./standing/effects.ts";
import type { PlanContext } from "./actors.ts";

/** `state` is the one after the event. */
export function effects(state: PlanModeState, event: PlanModeEvent, context: PlanContext): Effect[] {
  switch (event.type) {
    case "plan.entered":
    case "plan.submitted":
    case "plan.left":
    case "plan.completed":
      return planEffects(state, event, context);
    case "plan.seeded":
    case "plan.archetype_set":
      return seedEffects(event);
    case "plan.signed":
    case "plan.approved":
    case "plan.rejected":
    case "plan.timed_out":
    case "plan.auto_set":
      return signatureEffects(state, event, context);
    case "run.gated":
    case "run.tried":
      return outsideEffects(event);
    case "hold.set":
    case "hold.lifted":
    case "loosening.signed":
      return holdEffects(state, event);
    case "plan.staged":
      return stagedEffects(state, event, context);
    case "evidence.captured":
      return capturedEffects(event);
    case "evidence.given":
      return givenEffects(state, event);
    case "plan.amended":
      return amendedEffects(state, event);
    case "plan.standing_signed":
      return standingSignedEffects(state, event, context);
    case "plan.standing_begun":
      return standingBegunEffects(state, event);
    case "question.asked":
    case "question.answered":
    case "question.closed":
      return questionEffects(state, event);
    case "grant.given":
    case "grant.spent":
    case "grant.denied":
      return grantEffects(state, event);
    case "note.added":
    case "note.replied":
    case "note.resolved":
    case "note.reopened":
    case "notes.moved":
      return reviewEffects(state, event);
    case "permission.set":
      return permissionEffects(event);
    case "plan.reading":
      return readingEffects(state, event);
    case "plan.shared":
    case "plan.unshared":
      return shareEffects(event);
    case "plan.changed":
    case "plan.refreshed":
    case "plan.updated":
    case "plan.nudged":
    case "plan.rested":
      return []; // their effect on nudges is in nudge/
    case "approval.reminded":
    case "approval.put_off":
    case "approval.undelivered":
      return []; // in reach/
    default:
      return never(event);
  }
}
