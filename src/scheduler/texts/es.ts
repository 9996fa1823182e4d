export const texts = {
  job_ok: "La tarea programada «{name}» ha terminado.",
  job_failed: "La tarea programada «{name}» ha fallado.",
  job_timed_out: "La tarea programada «{name}» tardó demasiado y se detuvo.",
  job_stopped: "La tarea programada «{name}» se detuvo.",
  job_skipped: "La tarea programada «{name}» se omitió.",
  jobFired: "La tarea programada «{name}» pidió un turno.",
  jobPaused:
    "La tarea programada «{name}» falló {times} veces seguidas y está en pausa. Mira sus ejecuciones y después: holdpoint cron enable {id}",
  plugin_scheduler: "Programador",
  about_scheduler: "Turnos y ejecuciones más tarde, una vez o periódicamente.",
  fact_jobAdded: "Tarea programada",
  fact_jobChanged: "Tarea programada cambiada",
  fact_jobRemoved: "Tarea programada eliminada",
  fact_jobFired: "Tarea programada iniciada",
  fact_runEnded: "Tarea programada terminada: {outcome}",
};
