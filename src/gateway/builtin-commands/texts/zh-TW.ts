export const texts = {
  command_commands: "所有指令的名稱。",
  command_help: "可以說什麼，或某個指令怎麼用。",
  command_status: "此工作階段的狀態。",
  usage_help: "/help [指令] — 可以說什麼，或某個指令怎麼用",
  sayHelp: "用 /help 檢視清單。訊息不能以斜線開頭。",
  sessionStands: "{name} · 代理程式 {agent} · {kind}（{surface}）",
  thisSession: "此工作階段",
  agentIdle: {
    other: "代理程式閒置中，已進行 {count} 輪。",
  },
  agentRequested: {
    other: "代理程式即將開始新一輪，已進行 {count} 輪。",
  },
  agentRunning: {
    other: "代理程式正在工作，已進行 {count} 輪。",
  },
  messagesWait: {
    other: "有 {count} 則訊息在等它。",
  },
  spent: "目前花費：{usd} 美元。",
  forThePlan: "檢視計畫：/plan status",
  plugin_house_commands: "內建指令",
  about_house_commands: "說明和狀態，處處可用。",
};
