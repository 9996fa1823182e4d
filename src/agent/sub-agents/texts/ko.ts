export const texts = {
  plugin_sub_agents: "하위 에이전트",
  about_sub_agents: "세션은 아래 세션에 일을 맡길 수 있으며 같은 제한을 받습니다.",
};
