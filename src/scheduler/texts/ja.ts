export const texts = {
  job_ok: "定期ジョブ「{name}」が終了しました。",
  job_failed: "定期ジョブ「{name}」が失敗しました。",
  job_timed_out: "定期ジョブ「{name}」は時間がかかりすぎたため停止されました。",
  job_stopped: "定期ジョブ「{name}」が停止されました。",
  job_skipped: "定期ジョブ「{name}」はスキップされました。",
  jobFired: "定期ジョブ「{name}」がターンを要求しました。",
  jobPaused:
    "定期ジョブ「{name}」は{times}回続けて失敗したため一時停止中です。実行履歴を確認してから：holdpoint cron enable {id}",
  plugin_scheduler: "スケジューラー",
  about_scheduler: "後で実行するターンや処理。1回だけ、または繰り返し。",
  fact_jobAdded: "ジョブを予定に追加",
  fact_jobChanged: "定期ジョブを変更",
  fact_jobRemoved: "定期ジョブを削除",
  fact_jobFired: "定期ジョブを開始",
  fact_runEnded: "定期ジョブが終了：{outcome}",
};
