export const texts = {
  plugin_sub_agents: "Alt ajanlar",
  about_sub_agents: "Bir oturum altındaki oturumlara iş verebilir; onlar için de aynı sınırlar geçerlidir.",
};
