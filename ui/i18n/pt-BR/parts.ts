export const parts = {
  close: "Fechar",
  copy: "Copiar",
  copied: "Copiado",
  copyFailed: "Copiar não é permitido aqui",
  diagram: "Diagrama",
  source: "Fonte",
  dismiss: "Dispensar",
  timeIsUp: "prazo esgotado",
} as const;
