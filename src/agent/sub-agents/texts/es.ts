export const texts = {
  plugin_sub_agents: "Subagentes",
  about_sub_agents: "Una sesión puede dar tareas a sesiones por debajo de ella, con los mismos controles.",
  fact_childSpawned: "Subagente iniciado",
  fact_childEnded: "Subagente terminado: {outcome}",
  fact_childStopping: "Se detiene el subagente",
};
