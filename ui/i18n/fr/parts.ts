export const parts = {
  close: "Fermer",
  copy: "Copier",
  copied: "Copié",
  copyFailed: "La copie n’est pas permise ici",
  diagram: "Diagramme",
  source: "Texte source",
  dismiss: "Masquer",
  timeIsUp: "délai expiré",
} as const;
