export const parts = {
  close: "閉じる",
  copy: "コピー",
  copied: "コピーしました",
  copyFailed: "ここではコピーできません",
  diagram: "図",
  source: "ソース",
  dismiss: "消す",
  timeIsUp: "期限切れ",
} as const;
