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
  jobEndedWithPlan: "La tâche planifiée « {name} » s’est terminée avec son plan : le plan signé ne la nomme pas.",
  jobStopped:
    "La tâche planifiée « {name} » a été arrêtée : l’opérateur qui en répond a été révoqué. Un autre opérateur peut la reprendre : holdpoint cron enable {id}",
  standingSigned: "Un plan vaut pour la tâche planifiée « {name} » (exécutions : {runs}, jusqu’au {untilAtMs}).",
  standing_withdrawn: "Le plan permanent de la tâche planifiée « {name} » a été retiré.",
  standing_job_changed: "Le plan permanent de la tâche planifiée « {name} » est caduc : la tâche a changé.",
  standing_job_removed: "Le plan permanent de la tâche planifiée « {name} » a pris fin avec la tâche.",
  standing_used_up:
    "Le plan permanent de la tâche planifiée « {name} » est épuisé. Ses exécutions ne font de nouveau que lire.",
  standing_expired:
    "Le plan permanent de la tâche planifiée « {name} » a expiré. Ses exécutions ne font de nouveau que lire.",
  standing_revoked:
    "Le plan permanent de la tâche planifiée « {name} » est caduc : un opérateur qui l’a signé a été révoqué.",
  standing_replaced: "Un autre plan a remplacé le plan permanent de la tâche planifiée « {name} ».",
  fact_standingSigned: "Plan permanent en vigueur",
  fact_standingEnded: "Plan permanent terminé",
};
