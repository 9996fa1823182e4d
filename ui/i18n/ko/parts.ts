export const parts = {
  close: "닫기",
  copy: "복사",
  copied: "복사됨",
  copyFailed: "여기서는 복사할 수 없습니다",
  diagram: "다이어그램",
  source: "원본",
  dismiss: "지우기",
  timeIsUp: "기한 지남",
} as const;
