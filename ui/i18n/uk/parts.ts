export const parts = {
  close: "Закрити",
  dismiss: "Сховати",
  timeIsUp: "час вийшов",
} as const;
