export const texts = {
  plugin_sub_agents: "Alt ajanlar",
  about_sub_agents: "Bir oturum altındaki oturumlara iş verebilir; onlar için de aynı sınırlar geçerlidir.",
  fact_childSpawned: "Alt ajan başladı",
  fact_childEnded: "Alt ajan bitti: {outcome}",
  fact_childStopping: "Alt ajan durduruluyor",
};
