export const texts = {
  plugin_sub_agents: "Subagentes",
  about_sub_agents: "Uma sessão pode passar tarefas a sessões abaixo dela, com os mesmos controles.",
  fact_childSpawned: "Subagente iniciado",
  fact_childEnded: "Subagente encerrado: {outcome}",
  fact_childStopping: "Subagente sendo parado",
};
