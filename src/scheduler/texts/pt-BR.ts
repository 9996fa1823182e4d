export const texts = {
  job_ok: "A tarefa agendada “{name}” terminou.",
  job_failed: "A tarefa agendada “{name}” falhou.",
  job_timed_out: "A tarefa agendada “{name}” demorou demais e foi parada.",
  job_stopped: "A tarefa agendada “{name}” foi parada.",
  job_skipped: "A tarefa agendada “{name}” foi pulada.",
  jobFired: "A tarefa agendada “{name}” pediu um turno.",
  jobPaused:
    "A tarefa agendada “{name}” falhou {times} vezes seguidas e está pausada. Veja as execuções e depois: holdpoint cron enable {id}",
  plugin_scheduler: "Agendador",
  about_scheduler: "Turnos e execuções mais tarde, uma vez ou repetidamente.",
  fact_jobAdded: "Tarefa agendada",
  fact_jobChanged: "Tarefa agendada alterada",
  fact_jobRemoved: "Tarefa agendada removida",
  fact_jobFired: "Tarefa agendada iniciada",
  fact_runEnded: "Tarefa agendada encerrada: {outcome}",
};
