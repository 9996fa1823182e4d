export const parts = {
  close: "Close",
  dismiss: "Dismiss",
  timeIsUp: "time is up",
} as const;
