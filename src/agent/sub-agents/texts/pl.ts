export const texts = {
  plugin_sub_agents: "Podagenty",
  about_sub_agents: "Sesja może zlecać zadania sesjom pod sobą; obowiązują je te same ograniczenia.",
  fact_childSpawned: "Uruchomiono podagenta",
  fact_childEnded: "Podagent zakończył pracę: {outcome}",
  fact_childStopping: "Podagent jest zatrzymywany",
};
