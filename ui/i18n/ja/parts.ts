export const parts = {
  close: "閉じる",
  dismiss: "消す",
  timeIsUp: "期限切れ",
} as const;
