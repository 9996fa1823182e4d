export const parts = {
  close: "Fermer",
  dismiss: "Masquer",
  timeIsUp: "délai expiré",
} as const;
