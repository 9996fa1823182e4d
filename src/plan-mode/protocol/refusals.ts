/** The codes that plan mode refuses with, and how they are worded. Codes are wire contract: add, never rename. */
import type { RefusalWordings } from "../../protocol/localized/refusal-wording.ts";

export const refusals = {
  PLAN_MODE_DISABLED: {
    text: "refused_planModeOff",
    advice: "Turn it on with: holdpoint config set agents.defaults.planMode.enabled true",
  },
  PLAN_NOT_ACTIVE: { text: "refused_notInPlanMode", exit: "nothingToDecide" },
  PLAN_INVALID: { text: "refused_invalid", tellsMore: true },
  PLAN_SCOPE_INVALID: { text: "refused_invalid", tellsMore: true },
  PLAN_NOT_FOUND: { text: "refused_noPlan", advice: "See which there are with: holdpoint plan list" },
  APPROVAL_NOT_PENDING: { text: "refused_nothingWaits", exit: "nothingToDecide" },
  APPROVAL_ID_REQUIRED: { text: "refused_nothingWaits" },
  APPROVAL_SUPERSEDED: { text: "refused_superseded" },
  APPROVAL_PENDING: { text: "refused_planWaits" },
  APPROVAL_ALREADY_DECIDED: {
    text: "refused_decided",
    exact: { text: "refused_decidedBy", field: "decided_by" },
    exit: "nothingToDecide",
  },
  APPROVAL_REJECTED: { text: "rejectedMeanwhile", localized: true },
  APPROVAL_CODE_REQUIRED: { text: "refused_codeNeeded", localized: true },
  APPROVAL_DIGEST_MISMATCH: { text: "refused_otherText" },
  STANDING_NOT_POSSIBLE: { text: "refused_noStanding" },
  FEEDBACK_REQUIRED: { text: "refused_feedbackNeeded" },
  QUESTION_NOT_PENDING: { text: "refused_noQuestion", exit: "nothingToDecide" },
  QUESTION_PENDING: { text: "refused_questionWaits" },
  QUESTION_STALE: { text: "refused_noQuestion", exit: "nothingToDecide" },
  ANSWER_INVALID: { text: "refused_answerInvalid", localized: true },
  STEP_NOT_VERIFIED: { text: "refused_notVerified" },
  PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS: { text: "refused_subAgents" },
  PLAN_APPROVAL_GATE_STATE_UNAVAILABLE: { text: "refused_blockedUnknown" },
  PLAN_APPROVAL_BLOCKED_BY_THREADS: { text: "refused_openNotes" },
  NOTE_INVALID: { text: "refused_invalid", localized: true },
  NOTE_NOT_FOUND: { text: "refused_noNote", localized: true },
  NOTES_FULL: { text: "refused_notesFull", localized: true },
  SHARE_NOT_FOUND: { text: "refused_noLink" },
} as const satisfies RefusalWordings;
