export const parts = {
  close: "Close",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Copying is not allowed here",
  diagram: "Drawn diagram",
  source: "Source",
  dismiss: "Dismiss",
  timeIsUp: "time is up",
} as const;
