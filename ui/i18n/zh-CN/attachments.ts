export const attachments = {
  attach: "添加附件",
  attached: "附件",
  remove: "移除 {name}",
  tooMany: "每条消息最多附带 {max} 个文件。",
  tooLarge: "“{name}”太大。每条消息的文件合计不能超过 {max} KiB。",
  textTooLong: "“{name}”太长：每条消息最多附带 {max} 个字符的文本。",
  unreadable: "“{name}”既不是图片，也不是文本文件。",
  size: "{size} KiB",
  image: "图片 {name}",
  larger: "放大显示 {name}",
  loading: "正在读取 {name}…",
  missing: "无法读取 {name}。",
} as const;
