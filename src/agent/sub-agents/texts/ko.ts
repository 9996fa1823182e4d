export const texts = {
  plugin_sub_agents: "하위 에이전트",
  about_sub_agents: "세션은 아래 세션에 일을 맡길 수 있으며 같은 제한을 받습니다.",
  fact_childSpawned: "하위 에이전트 시작",
  fact_childEnded: "하위 에이전트 종료: {outcome}",
  fact_childStopping: "하위 에이전트를 중지하는 중",
};
