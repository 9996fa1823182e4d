export const parts = {
  close: "關閉",
  dismiss: "關閉通知",
  timeIsUp: "已逾時",
} as const;
