export const parts = {
  close: "닫기",
  dismiss: "지우기",
  timeIsUp: "기한 지남",
} as const;
