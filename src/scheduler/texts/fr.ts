export const texts = {
  job_ok: "La tâche planifiée « {name} » est terminée.",
  job_failed: "La tâche planifiée « {name} » a échoué.",
  job_timed_out: "La tâche planifiée « {name} » a pris trop de temps et a été arrêtée.",
  job_stopped: "La tâche planifiée « {name} » a été arrêtée.",
  job_skipped: "La tâche planifiée « {name} » a été ignorée.",
  jobFired: "La tâche planifiée « {name} » a demandé un tour.",
  jobPaused:
    "La tâche planifiée « {name} » a échoué {times} fois de suite et est en pause. Regardez ses exécutions, puis : holdpoint cron enable {id}",
  plugin_scheduler: "Planificateur",
  about_scheduler: "Des tours et des exécutions plus tard, une fois ou régulièrement.",
  fact_jobAdded: "Tâche planifiée",
  fact_jobChanged: "Tâche planifiée modifiée",
  fact_jobRemoved: "Tâche planifiée supprimée",
  fact_jobFired: "Tâche planifiée lancée",
  fact_runEnded: "Tâche planifiée terminée : {outcome}",
};
