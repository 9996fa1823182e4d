export const parts = {
  close: "关闭",
  copy: "复制",
  copied: "已复制",
  copyFailed: "此处不允许复制",
  diagram: "图表",
  source: "源文本",
  dismiss: "忽略",
  timeIsUp: "已超时",
} as const;
