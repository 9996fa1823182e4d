export const parts = {
  close: "Kapat",
  dismiss: "Gizle",
  timeIsUp: "süre doldu",
} as const;
