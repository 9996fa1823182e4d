export const texts = {
  plugin_sub_agents: "サブエージェント",
  about_sub_agents: "セッションは下位のセッションに作業を任せられます。制限は同じです。",
};
