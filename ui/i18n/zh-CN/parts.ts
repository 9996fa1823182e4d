export const parts = {
  close: "关闭",
  dismiss: "忽略",
  timeIsUp: "已超时",
} as const;
