export const texts = {
  job_ok: "排程工作「{name}」已結束。",
  job_failed: "排程工作「{name}」失敗了。",
  job_timed_out: "排程工作「{name}」耗時過長，已停止。",
  job_stopped: "排程工作「{name}」已停止。",
  job_skipped: "排程工作「{name}」已略過。",
  jobFired: "排程工作「{name}」要求了一輪。",
  jobPaused: "排程工作「{name}」連續失敗 {times} 次，已暫停。請檢視其執行記錄，然後：holdpoint cron enable {id}",
  plugin_scheduler: "排程器",
  about_scheduler: "稍後進行的輪次和執行，一次或重複。",
};
