export const parts = {
  close: "Fechar",
  dismiss: "Dispensar",
  timeIsUp: "prazo esgotado",
} as const;
