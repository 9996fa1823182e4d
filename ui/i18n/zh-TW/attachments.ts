export const attachments = {
  attach: "附加檔案",
  attached: "附加的檔案",
  remove: "移除 {name}",
  tooMany: "每則訊息最多可附加 {max} 個檔案。",
  tooLarge: "「{name}」太大。每則訊息的檔案合計不得超過 {max} KiB。",
  textTooLong: "「{name}」太長：每則訊息最多可附加 {max} 個字元的文字。",
  unreadable: "「{name}」既不是圖片，也不是文字檔。",
  size: "{size} KiB",
  image: "圖片 {name}",
  larger: "放大顯示 {name}",
  loading: "正在讀取 {name}…",
  missing: "無法讀取 {name}。",
} as const;
