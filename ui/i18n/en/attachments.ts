export const attachments = {
  attach: "Attach files",
  attached: "Attached files",
  remove: "Remove {name}",
  tooMany: "At most {max} files go with one message.",
  tooLarge: "“{name}” is too large. All files of a message together may have {max} KiB.",
  textTooLong: "“{name}” is too long: at most {max} characters of text go with one message.",
  unreadable: "“{name}” is neither an image nor a text file.",
  size: "{size} KiB",
  image: "Image {name}",
  larger: "Show {name} larger",
  loading: "Reading {name} …",
  missing: "{name} could not be read.",
} as const;
