export const texts = {
  plugin_sub_agents: "子智能体",
  about_sub_agents: "会话可以把任务交给下级会话，受同样的限制。",
};
