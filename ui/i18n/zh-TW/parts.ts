export const parts = {
  close: "關閉",
  copy: "複製",
  copied: "已複製",
  copyFailed: "此處不允許複製",
  diagram: "圖表",
  source: "原始碼",
  dismiss: "關閉通知",
  timeIsUp: "已逾時",
} as const;
