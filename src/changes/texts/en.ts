/** What changes and rollbacks say, by key. Keys stand in what is stored: add, never rename. */
export const ENGLISH = {
  plugin_changes: "Changes",
  about_changes: "What approved plans change, step by step, and how to take it back.",

  // notices
  snapshotFailed: "No snapshot could be taken around a call, so its changes cannot be rolled back: {why}",
  driftWarned: "The plan changed files that no step names ({count}): {paths}",
  driftPaused: "The plan is paused, because it changed files that no step names ({count}): {paths}",
  driftStopped: "The plan is stopped, because it changed files that no step names ({count}): {paths}",
  driftResumed: "{name} let the paused plan go on.",
  rolledBackAll: "{name} rolled back the plan. Files put back: {restored}. Left as they are: {left}.",
  rolledBackStep: "{name} rolled back step {step}. Files put back: {restored}. Left as they are: {left}.",

  // commands
  usage_plan_changes: "/plan changes [step] — what the plan changed, per step and per file",
  usage_plan_rollback:
    "/plan rollback [step] [code] [keep|overwrite] — shows what a rollback would do; with its code, does it",
  usage_plan_resume: "/plan resume — lets a plan go on that was paused because of files that no step names",
  changesStep: "Step {step}: {text}",
  changesNoStep: "Outside any step",
  changesOthers: "Changed by others meanwhile",
  changesMore: "… and {count} more",
  changesNotNamed: "no step names it",
  changesNoFiles: "No file was changed.",
  rollbackWould: "A rollback would change these files:",
  rollbackConflict:
    "{count} of them do not stand as the plan left them (marked !). Add keep to leave those, or overwrite to replace them.",
  rollbackDo: "Do it with: {command}",
  rollbackDone: "Files put back: {restored}. Left as they are: {left}.",
  rollbackStepInvalid: "Name a step by its number, or leave it out for the whole plan.",
  planResumed: "The plan goes on.",

  // facts of the audit chain
  fact_drifted: "Files changed that no step names",
  fact_resumed: "Paused plan resumed",
  fact_unrecorded: "Changes without a snapshot",
  fact_rollbackOrdered: "Rollback ordered",
  fact_rolledBack: "Rolled back",

  // refusals
  refused_noChanges: "No plan has changed anything here yet.",
  refused_unreadable: "The record of the changes cannot be read.",
  refused_busy: "Something is still running. Try again in a moment.",
  refused_notPaused: "No plan is paused here.",
  refused_stale: "Files have changed since you looked. Look at the preview again.",
  refused_conflict: "Some files were changed since. Say what becomes of them.",
  refused_nothing: "There is nothing to put back.",
} as const;
