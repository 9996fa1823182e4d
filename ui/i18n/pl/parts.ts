export const parts = {
  close: "Zamknij",
  dismiss: "Ukryj",
  timeIsUp: "czas minął",
} as const;
