export const parts = {
  close: "Zamknij",
  copy: "Kopiuj",
  copied: "Skopiowano",
  copyFailed: "Kopiowanie jest tu niedozwolone",
  diagram: "Diagram",
  source: "Źródło",
  dismiss: "Ukryj",
  timeIsUp: "czas minął",
} as const;
