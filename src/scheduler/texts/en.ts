/** What the scheduler says, by key. Keys stand in what is stored: add, never rename. */
export const ENGLISH = {
  // notices
  job_ok: 'The scheduled job "{name}" has ended.',
  job_failed: 'The scheduled job "{name}" has failed.',
  job_timed_out: 'The scheduled job "{name}" took too long and was stopped.',
  job_stopped: 'The scheduled job "{name}" was stopped.',
  job_skipped: 'The scheduled job "{name}" was skipped.',
  jobFired: 'The scheduled job "{name}" asked for a turn.',
  jobPaused:
    'The scheduled job "{name}" failed {times} times in a row and is paused. Look at its runs, then: holdpoint cron enable {id}',
  jobEndedWithPlan: 'The scheduled job "{name}" ended with its plan: the plan that was signed does not name it.',
  jobStopped:
    'The scheduled job "{name}" was stopped: the operator who answers for it was revoked. Another operator can take it over: holdpoint cron enable {id}',
  standingSigned: 'A plan stands for the scheduled job "{name}" (runs: {runs}, until {untilAtMs}).',
  standing_withdrawn: 'The standing plan of the scheduled job "{name}" was withdrawn.',
  standing_job_changed: 'The standing plan of the scheduled job "{name}" is void: the job has changed.',
  standing_job_removed: 'The standing plan of the scheduled job "{name}" ended with the job.',
  standing_used_up: 'The standing plan of the scheduled job "{name}" is used up. Its runs are held again.',
  standing_expired: 'The standing plan of the scheduled job "{name}" has expired. Its runs are held again.',
  standing_revoked: 'The standing plan of the scheduled job "{name}" is void: an operator who signed it was revoked.',
  standing_replaced: 'Another plan took the place of the standing plan of the scheduled job "{name}".',

  // plugins
  plugin_scheduler: "Scheduler",
  about_scheduler: "Turns and runs at a later time, once or again and again.",

  // facts of the audit chain
  fact_jobAdded: "Job scheduled",
  fact_jobChanged: "Scheduled job changed",
  fact_jobRemoved: "Scheduled job removed",
  fact_jobFired: "Scheduled job started",
  fact_standingSigned: "Standing plan in force",
  fact_standingEnded: "Standing plan ended",
  fact_runEnded: "Scheduled job ended: {outcome}",
} as const;
