export const texts = {
  job_ok: "Zaplanowane zadanie „{name}” się zakończyło.",
  job_failed: "Zaplanowane zadanie „{name}” się nie powiodło.",
  job_timed_out: "Zaplanowane zadanie „{name}” trwało za długo i zostało zatrzymane.",
  job_stopped: "Zaplanowane zadanie „{name}” zostało zatrzymane.",
  job_skipped: "Zaplanowane zadanie „{name}” zostało pominięte.",
  jobFired: "Zaplanowane zadanie „{name}” poprosiło o turę.",
  jobPaused:
    "Zaplanowane zadanie „{name}” nie powiodło się {times} razy z rzędu i jest wstrzymane. Obejrzyj jego przebiegi, potem: holdpoint cron enable {id}",
  plugin_scheduler: "Harmonogram",
  about_scheduler: "Tury i przebiegi w późniejszym czasie, raz lub cyklicznie.",
  fact_jobAdded: "Zaplanowano zadanie",
  fact_jobChanged: "Zmieniono zaplanowane zadanie",
  fact_jobRemoved: "Usunięto zaplanowane zadanie",
  fact_jobFired: "Rozpoczęto zaplanowane zadanie",
  fact_runEnded: "Zakończono zaplanowane zadanie: {outcome}",
};
