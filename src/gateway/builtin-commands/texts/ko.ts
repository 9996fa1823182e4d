export const texts = {
  command_commands: "모든 명령의 이름.",
  command_help: "말할 수 있는 것, 또는 명령 하나의 사용법.",
  command_status: "이 세션의 상태.",
  usage_help: "/help [명령] — 말할 수 있는 것, 또는 명령 하나의 사용법",
  sayHelp: "목록은 /help로 볼 수 있습니다. 메시지는 슬래시로 시작할 수 없습니다.",
  sessionStands: "{name} · 에이전트 {agent} · {kind}, {surface}",
  thisSession: "이 세션",
  agentIdle: {
    other: "에이전트가 쉬고 있습니다({count}턴 이후).",
  },
  agentRequested: {
    other: "에이전트가 곧 턴을 시작합니다({count}턴 이후).",
  },
  agentRunning: {
    other: "에이전트가 작업 중입니다({count}턴 이후).",
  },
  messagesWait: {
    other: "메시지 {count}개가 기다립니다.",
  },
  spent: "지금까지 사용: {usd} 미국 달러.",
  forThePlan: "계획 보기: /plan status",
  plugin_house_commands: "기본 명령",
  about_house_commands: "도움말과 상태, 어디에서나.",
};
