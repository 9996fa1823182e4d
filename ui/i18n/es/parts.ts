export const parts = {
  close: "Cerrar",
  dismiss: "Descartar",
  timeIsUp: "tiempo agotado",
} as const;
