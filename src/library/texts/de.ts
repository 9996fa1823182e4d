export const texts = {
  plugin_library: "Planbibliothek",
  about_library: "Bewahrt jeden eingereichten Plan als Datei auf und macht alle durchsuchbar.",
  planFileLost_full:
    "Die Platte ist voll: Von diesem Plan gibt es keine Kopie als Datei. Der Plan selbst ist gespeichert und kann entschieden werden.",
  planFileLost_read_only:
    "Der Ordner der Pläne ist nicht beschreibbar: Von diesem Plan gibt es keine Kopie als Datei. Der Plan selbst ist gespeichert und kann entschieden werden.",
  planFileLost_refused:
    "Der Ordner der Pläne führt woandershin: Von diesem Plan gibt es keine Kopie als Datei. Der Plan selbst ist gespeichert und kann entschieden werden.",
  planFileLost_taken:
    "Alle Dateinamen für diesen Titel und Tag sind vergeben: Von diesem Plan gibt es keine Kopie als Datei. Der Plan selbst ist gespeichert und kann entschieden werden.",
  planFileLost_unwritable:
    "Die Platte hat versagt: Von diesem Plan gibt es keine Kopie als Datei. Der Plan selbst ist gespeichert und kann entschieden werden.",
  unitLostTracked:
    "Git verfolgt Dateien in .holdpoint/work, und diese werden nie angefasst: Dieser Plan hat dort kein Abbild. Er wird trotzdem ausgeführt.",
  unitLost: "Dieser Plan konnte nicht nach .holdpoint/work gespiegelt werden ({because}). Er wird trotzdem ausgeführt.",
  workUnitsHere: "Genehmigte Pläne in diesem Arbeitsordner",
};
