export const texts = {
  plugin_sub_agents: "Субагенти",
  about_sub_agents: "Сеанс може доручати завдання сеансам під собою, з тими самими обмеженнями.",
  fact_childSpawned: "Субагента запущено",
  fact_childEnded: "Субагент завершив: {outcome}",
  fact_childStopping: "Субагент зупиняється",
};
