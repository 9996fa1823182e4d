export const texts = {
  plugin_sub_agents: "Sous-agents",
  about_sub_agents:
    "Une session peut confier des tâches à des sessions en dessous d’elle, soumises aux mêmes contrôles.",
};
