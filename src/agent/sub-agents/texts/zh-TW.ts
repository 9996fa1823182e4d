export const texts = {
  plugin_sub_agents: "子代理程式",
  about_sub_agents: "工作階段可以把工作交給下層工作階段，受同樣的限制。",
  fact_childSpawned: "子代理程式已開始",
  fact_childEnded: "子代理程式已結束：{outcome}",
  fact_childStopping: "正在停止子代理程式",
};
