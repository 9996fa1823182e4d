export const texts = {
  job_ok: "Zamanlanmış “{name}” işi sona erdi.",
  job_failed: "Zamanlanmış “{name}” işi başarısız oldu.",
  job_timed_out: "Zamanlanmış “{name}” işi çok uzun sürdü ve durduruldu.",
  job_stopped: "Zamanlanmış “{name}” işi durduruldu.",
  job_skipped: "Zamanlanmış “{name}” işi atlandı.",
  jobFired: "Zamanlanmış “{name}” işi bir tur istedi.",
  jobPaused:
    "Zamanlanmış “{name}” işi art arda {times} kez başarısız oldu ve duraklatıldı. Çalışmalarına bakın, sonra: holdpoint cron enable {id}",
  plugin_scheduler: "Zamanlayıcı",
  about_scheduler: "Daha sonraki turlar ve çalışmalar, bir kez ya da yinelenerek.",
  fact_jobAdded: "İş zamanlandı",
  fact_jobChanged: "Zamanlanmış iş değişti",
  fact_jobRemoved: "Zamanlanmış iş kaldırıldı",
  fact_jobFired: "Zamanlanmış iş başladı",
  fact_runEnded: "Zamanlanmış iş bitti: {outcome}",
};
