export const attachments = {
  attach: "파일 첨부",
  attached: "첨부 파일",
  remove: "{name} 제거",
  tooMany: "메시지 하나에 파일을 최대 {max}개까지 첨부할 수 있습니다.",
  tooLarge: "‘{name}’ 파일이 너무 큽니다. 메시지 하나에 첨부하는 파일은 모두 합해 {max} KiB까지입니다.",
  textTooLong: "‘{name}’ 파일이 너무 깁니다. 메시지 하나에 첨부하는 텍스트는 최대 {max}자입니다.",
  unreadable: "‘{name}’ 파일은 이미지도 텍스트 파일도 아닙니다.",
  size: "{size} KiB",
  image: "이미지 {name}",
  larger: "{name} 크게 보기",
  loading: "{name} 읽는 중…",
  missing: "{name} 파일을 읽지 못했습니다.",
} as const;
