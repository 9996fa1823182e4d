export const parts = {
  close: "Schließen",
  copy: "Kopieren",
  copied: "Kopiert",
  copyFailed: "Kopieren ist hier nicht erlaubt",
  diagram: "Diagramm",
  source: "Quelltext",
  dismiss: "Ausblenden",
  timeIsUp: "abgelaufen",
} as const;
