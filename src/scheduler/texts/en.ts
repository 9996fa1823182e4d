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

  // plugins
  plugin_scheduler: "Scheduler",
  about_scheduler: "Turns and runs at a later time, once or again and again.",

  // facts of the audit chain
  fact_jobAdded: "Job scheduled",
  fact_jobChanged: "Scheduled job changed",
  fact_jobRemoved: "Scheduled job removed",
  fact_jobFired: "Scheduled job started",
  fact_runEnded: "Scheduled job ended: {outcome}",
} as const;
