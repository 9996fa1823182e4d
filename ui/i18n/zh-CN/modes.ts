export const modes = {
  sure_auto: "不阅读就批准计划？",
  sureText_auto: "此会话的每份计划都会由规则立即批准，无需人工。记录中会注明这一点。你可以随时关闭。",
  sureYes_auto: "开启“计划 ⚡”",
  sure_bypass: "全部直接执行，不再询问？",
  sureText_bypass: "在此会话中，任何更改都不再询问，包括破坏性更改。计划模式仍然有效。你可以随时关闭。",
  sureYes_bypass: "开启“不询问”",
  sure_leave: "有计划正在等待，仍要退出计划模式？",
  sureText_leave: "等待签署的计划会被撤回。之后智能体无需计划即可进行更改。",
  sureYes_leave: "退出计划模式",
  sure_replan: "停止执行计划？",
  sureText_replan: "已批准的计划到此为止，剩余部分不会执行。新计划签署之前，不会更改任何内容。",
  sureYes_replan: "回到计划",
} as const;
