export const texts = {
  job_ok: "Der geplante Auftrag „{name}“ ist beendet.",
  job_failed: "Der geplante Auftrag „{name}“ ist gescheitert.",
  job_timed_out: "Der geplante Auftrag „{name}“ dauerte zu lange und wurde angehalten.",
  job_stopped: "Der geplante Auftrag „{name}“ wurde angehalten.",
  job_skipped: "Der geplante Auftrag „{name}“ wurde ausgelassen.",
  jobFired: "Der geplante Auftrag „{name}“ hat einen Zug angestoßen.",
  jobPaused:
    "Der geplante Auftrag „{name}“ ist {times}-mal in Folge gescheitert und pausiert. Sehen Sie sich seine Läufe an, dann: holdpoint cron enable {id}",
  plugin_scheduler: "Zeitplan",
  about_scheduler: "Züge und Läufe zu späterer Zeit, einmal oder immer wieder.",
  fact_jobAdded: "Auftrag eingeplant",
  fact_jobChanged: "Geplanter Auftrag geändert",
  fact_jobRemoved: "Geplanter Auftrag entfernt",
  fact_jobFired: "Geplanter Auftrag begonnen",
  fact_runEnded: "Geplanter Auftrag beendet: {outcome}",
};
