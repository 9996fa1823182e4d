export const texts = {
  plugin_sub_agents: "子智能体",
  about_sub_agents: "会话可以把任务交给下级会话，受同样的限制。",
  fact_childSpawned: "子智能体已开始",
  fact_childEnded: "子智能体已结束：{outcome}",
  fact_childStopping: "正在停止子智能体",
};
