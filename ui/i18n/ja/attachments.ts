export const attachments = {
  attach: "ファイルを添付",
  attached: "添付ファイル",
  remove: "{name}を削除",
  tooMany: "1件のメッセージに添付できるファイルは{max}個までです。",
  tooLarge: "「{name}」は大きすぎます。1件のメッセージに添付できるのは合計{max} KiBまでです。",
  textTooLong: "「{name}」は長すぎます。1件のメッセージに添付できるテキストは{max}文字までです。",
  unreadable: "「{name}」は画像でもテキストファイルでもありません。",
  size: "{size} KiB",
  image: "画像 {name}",
  larger: "{name}を拡大表示",
  loading: "{name}を読み込み中…",
  missing: "{name}を読み込めませんでした。",
} as const;
