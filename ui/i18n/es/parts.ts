export const parts = {
  close: "Cerrar",
  copy: "Copiar",
  copied: "Copiado",
  copyFailed: "Aquí no se permite copiar",
  diagram: "Diagrama",
  source: "Fuente",
  dismiss: "Descartar",
  timeIsUp: "tiempo agotado",
} as const;
