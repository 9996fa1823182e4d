export const texts = {
  command_commands: "所有命令的名称。",
  command_help: "可以说什么，或某个命令怎么用。",
  command_status: "此会话的状态。",
  usage_help: "/help [命令] — 可以说什么，或某个命令怎么用",
  sayHelp: "用 /help 查看列表。消息不能以斜杠开头。",
  sessionStands: "{name} · 智能体 {agent} · {kind}（{surface}）",
  thisSession: "此会话",
  agentIdle: {
    other: "智能体空闲，已进行 {count} 轮。",
  },
  agentRequested: {
    other: "智能体即将开始新一轮，已进行 {count} 轮。",
  },
  agentRunning: {
    other: "智能体正在工作，已进行 {count} 轮。",
  },
  messagesWait: {
    other: "有 {count} 条消息在等它。",
  },
  spent: "目前花费：{usd} 美元。",
  forThePlan: "查看计划：/plan status",
  plugin_house_commands: "内置命令",
  about_house_commands: "帮助和状态，处处可用。",
};
