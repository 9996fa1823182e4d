export const texts = {
  job_ok: "定时任务“{name}”已结束。",
  job_failed: "定时任务“{name}”失败了。",
  job_timed_out: "定时任务“{name}”耗时过长，已停止。",
  job_stopped: "定时任务“{name}”已停止。",
  job_skipped: "定时任务“{name}”已跳过。",
  jobFired: "定时任务“{name}”请求了一轮。",
  jobPaused: "定时任务“{name}”连续失败 {times} 次，已暂停。请查看其运行记录，然后：holdpoint cron enable {id}",
  plugin_scheduler: "调度器",
  about_scheduler: "稍后进行的轮次和运行，一次或重复。",
};
