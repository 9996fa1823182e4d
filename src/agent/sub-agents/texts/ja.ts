export const texts = {
  plugin_sub_agents: "サブエージェント",
  about_sub_agents: "セッションは下位のセッションに作業を任せられます。制限は同じです。",
  fact_childSpawned: "サブエージェントを開始",
  fact_childEnded: "サブエージェントが終了：{outcome}",
  fact_childStopping: "サブエージェントを停止中",
};
