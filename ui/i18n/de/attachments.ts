export const attachments = {
  attach: "Dateien anhängen",
  attached: "Angehängte Dateien",
  remove: "{name} entfernen",
  tooMany: "Mit einer Nachricht gehen höchstens {max} Dateien.",
  tooLarge: "„{name}“ ist zu groß. Alle Dateien einer Nachricht zusammen dürfen {max} KiB haben.",
  textTooLong: "„{name}“ ist zu lang: Mit einer Nachricht gehen höchstens {max} Zeichen Text.",
  unreadable: "„{name}“ ist weder ein Bild noch eine Textdatei.",
  size: "{size} KiB groß",
  image: "Bild {name}",
  larger: "{name} größer zeigen",
  loading: "{name} wird gelesen …",
  missing: "{name} konnte nicht gelesen werden.",
} as const;
