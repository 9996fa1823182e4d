/** What plan mode keeps in the audit chain, and how it is worded. Types are stored: add, never rename. */
import type { FactWordings } from "../../protocol/localized/fact-wording.ts";

export const facts = {
  "plan.entered": { title: "fact_planEntered", shows: "reason", as: { reason: "reason" } },
  "plan.left": { title: "fact_planLeft" },
  "plan.submitted": { title: "fact_planSubmitted", tone: "accent", shows: "title" },
  "plan.signed": { title: "fact_planSigned", tone: "accent" },
  "plan.decided": {
    title: "fact_planDecided_approved",
    tone: "good",
    by: {
      field: "decision",
      values: {
        rejected: { title: "fact_planDecided_rejected", tone: "bad", shows: "feedback" },
        edited: { title: "fact_planDecided_edited", tone: "good" },
        standing: { title: "fact_planDecided_standing", tone: "waiting" },
      },
    },
  },
  "evidence.captured": { title: "fact_evidenceCaptured", tone: "good" },
  "evidence.given": { title: "fact_evidenceGiven", tone: "accent" },
  "plan.staged": { title: "fact_planStaged", tone: "accent" },
  "plan.amended": { title: "fact_planAmended", tone: "waiting" },
  "plan.standing_begun": { title: "fact_standingBegun", tone: "accent" },
  "plan.timed_out": { title: "fact_planTimedOut", tone: "waiting" },
  "plan.completed": { title: "fact_planCompleted", tone: "good" },
  "plan.auto_set": {
    title: "fact_autoOff",
    by: { field: "enabled", values: { true: { title: "fact_autoOn", tone: "waiting" } } },
  },
  "run.gated": {
    title: "fact_runUngated",
    tone: "bad",
    by: { field: "gated", values: { true: { title: "fact_runGated", tone: "good" } } },
  },
  "hold.set": { title: "fact_holdSet", tone: "waiting" },
  "hold.lifted": { title: "fact_holdLifted", tone: "good" },
  "loosening.signed": { title: "fact_looseningSigned", tone: "accent" },
  "plan.reading": { title: "fact_planReading" },
  "plan.nudged": { title: "fact_planNudged" },
  "approval.reminded": { title: "fact_reminded" },
  "approval.undelivered": { title: "fact_undelivered", tone: "waiting", shows: "place" },
  "plan.shared": { title: "fact_planShared", tone: "waiting" },
  "plan.unshared": { title: "fact_planUnshared" },
  "note.added": { title: "fact_noteAdded", tone: "accent" },
  "note.replied": { title: "fact_noteAdded", tone: "accent" },
  "note.resolved": { title: "fact_noteResolved" },
  "note.reopened": { title: "fact_noteReopened", tone: "waiting" },
  "notes.moved": { title: "fact_notesMoved" },
  "grant.given": { title: "fact_grantGiven", tone: "good" },
  "grant.denied": { title: "fact_grantDenied", tone: "bad" },
  "grant.spent": { title: "fact_grantSpent" },
  "permission.set": { title: "fact_permissionSet", tone: "waiting" },
  "question.asked": { title: "fact_questionAsked" },
  "question.answered": { title: "fact_questionAnswered", shows: "answer", as: { answer: "answer" } },
  "question.closed": { title: "fact_questionClosed" },
} as const satisfies FactWordings;
export type PlanFact = keyof typeof facts;
