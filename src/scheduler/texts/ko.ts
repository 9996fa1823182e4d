export const texts = {
  job_ok: "예약 작업 “{name}”이(가) 끝났습니다.",
  job_failed: "예약 작업 “{name}”이(가) 실패했습니다.",
  job_timed_out: "예약 작업 “{name}”이(가) 너무 오래 걸려 중지되었습니다.",
  job_stopped: "예약 작업 “{name}”이(가) 중지되었습니다.",
  job_skipped: "예약 작업 “{name}”을(를) 건너뛰었습니다.",
  jobFired: "예약 작업 “{name}”이(가) 턴을 요청했습니다.",
  jobPaused:
    "예약 작업 “{name}”이(가) {times}번 연속 실패해 일시 중지되었습니다. 실행 기록을 본 다음: holdpoint cron enable {id}",
  plugin_scheduler: "스케줄러",
  about_scheduler: "나중에 실행하는 턴과 작업, 한 번 또는 반복.",
  fact_jobAdded: "작업 예약",
  fact_jobChanged: "예약 작업 변경",
  fact_jobRemoved: "예약 작업 제거",
  fact_jobFired: "예약 작업 시작",
  fact_runEnded: "예약 작업 종료: {outcome}",
};
