export const texts = {
  plugin_sub_agents: "Unteragenten",
  about_sub_agents: "Eine Sitzung kann Aufgaben an Sitzungen unter ihr geben; für die gelten dieselben Schranken.",
  fact_childSpawned: "Unteragent begonnen",
  fact_childEnded: "Unteragent beendet: {outcome}",
  fact_childStopping: "Unteragent wird angehalten",
};
