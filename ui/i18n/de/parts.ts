export const parts = {
  close: "Schließen",
  dismiss: "Ausblenden",
  timeIsUp: "abgelaufen",
} as const;
