export const texts = {
  plugin_sub_agents: "Sous-agents",
  about_sub_agents:
    "Une session peut confier des tâches à des sessions en dessous d’elle, soumises aux mêmes contrôles.",
  fact_childSpawned: "Sous-agent lancé",
  fact_childEnded: "Sous-agent terminé : {outcome}",
  fact_childStopping: "Arrêt du sous-agent en cours",
};
