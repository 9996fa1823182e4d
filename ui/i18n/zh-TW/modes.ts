export const modes = {
  sure_auto: "不閱讀就核准計畫？",
  sureText_auto: "此工作階段的每份計畫都會由規則立即核准，不經任何人。紀錄會註明這一點。您可以隨時關閉。",
  sureYes_auto: "開啟「計畫 ⚡」",
  sure_bypass: "全部直接執行，不再詢問？",
  sureText_bypass: "在此工作階段中，任何變更都不再詢問，包括破壞性變更。計畫模式仍然有效。您可以隨時關閉。",
  sureYes_bypass: "開啟「不詢問」",
  sure_leave: "有計畫正在等待，仍要離開計畫模式？",
  sureText_leave: "等待簽署的計畫會撤回。之後代理程式不需計畫即可進行變更。",
  sureYes_leave: "離開計畫模式",
  sure_replan: "要停止執行計畫？",
  sureText_replan: "已核准的計畫到此為止，其餘部分不會執行。新計畫簽署之前，不會變更任何內容。",
  sureYes_replan: "回到計畫",
} as const;
